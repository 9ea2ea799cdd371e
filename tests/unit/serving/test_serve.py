# SPDX-License-Identifier: Apache-2.0
"""`thresher serve` over real HTTP: what it answers, and what clients and pages cannot do to it."""

import asyncio
import gzip
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from urllib.parse import quote

import pytest
from click.testing import CliRunner
from running_service import ARTICLE, read_all, running
from shared_data import CHECKOUT
from small_archive import page as made_up_page
from small_archive import write_archive
from waiting import LIMIT, Clock, wait_for

import thresher
from thresher.commands.main import main
from thresher.options import EXTRACTORS
from thresher.running.pool import memory_of
from thresher.serving.bodies import read_lines
from thresher.serving.tasks import CONCEALED_BY


@pytest.fixture(scope="module")
def service():
    with running(page_seconds=LIMIT) as found:
        yield found


def test_html_a_form_and_json_give_what_the_api_gives(service):
    wanted = thresher.extract(ARTICLE, url="https://example.org/cake", format="markdown", links=True).to_dict()
    query = "/extract?url=https://example.org/cake&format=markdown&links=true"
    boundary = "xxBOUNDARYxx"
    form = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="html"; filename="cake.html"\r\n'
        f"Content-Type: text/html\r\n\r\n{ARTICLE}\r\n--{boundary}\r\n"
        f'Content-Disposition: form-data; name="format"\r\n\r\nmarkdown\r\n--{boundary}--\r\n'
    ).encode()
    body = {"html": ARTICLE, "url": "https://example.org/cake", "format": "markdown", "links": True}
    nested = {"html": ARTICLE, "url": "https://example.org/cake", "options": {"format": "markdown", "links": True}}
    answers = [
        service.post(query, ARTICLE.encode()),
        service.post(
            "/extract?url=https://example.org/cake&links=true", form, f"multipart/form-data; boundary={boundary}"
        ),
        service.post("/extract", body),
        service.post("/extract", nested),
    ]
    for answer in answers:
        assert answer.status == 200, answer.body
        assert {**answer.json, "charset_source": None} == {**wanted, "charset_source": None}


def test_a_single_page_may_have_an_id_as_in_a_batch(service):
    answer = service.post("/extract", {"html": ARTICLE, "id": [7]}).json
    assert answer == {"id": [7], **service.post("/extract", {"html": ARTICLE}).json}


def test_the_charset_of_the_transport_counts(service):
    page = "<p>Žluťoučký kůň úpěl ďábelské ódy, a to je celá věta o koni.".encode("windows-1250")
    assert "Žluťoučký kůň" in service.post("/extract", page, "text/html; charset=windows-1250").json["text"]


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        ("/extract", {"html": "<p>a", "mode": "sideways"}, "mode must be one of"),
        ("/extract", {"html": "<p>a", "extractor": "tresher"}, "did you mean 'thresher'"),
        ("/extract", {"html": "<p>a", "limits": {"max_nodes": 1 << 30}}, "max_nodes must be a whole number from 1 to"),
        ("/extract", {"html": "<p>a", "parameters": {"leen": 1}}, "no option 'leen'"),
        ("/extract", {"page": "<p>a"}, "`html` is missing"),
        ("/extract?colour=red", b"<p>a", "unknown key 'colour'"),
        ("/extract?fromat=html", b"<p>a", "unknown key 'fromat'; did you mean 'format'?"),
        ("/extract?limits=1", b"<p>a", "unknown key 'limits'"),
        ("/extract?limit=1", b"<p>a", "unknown key 'limit'"),
        ("/extract?format=text&format=html", b"<p>a", "'format' is given more than once"),
        ("/extract?extractors=bte&extractors=cetd", {"html": "<p>a"}, "'extractors' is given more than once"),
        ("/extract/batch?mode=recall&mode=precision", {"html": "<p>a"}, "'mode' is given more than once"),
        ("/extract?lean=1e999", b"<p>a", "option 'lean' must be a finite number"),
        ("/extract", {"html": "<p>a", "parameters": {"lean": 10**400}}, "option 'lean' must be a finite number"),
        ("/extract?lean=much", b"<p>a", "lean must be a number, not 'much'"),
        ("/extract?window=1", b"<p>a", "there is no option 'window'. Options: "),
        ("/pages?format=html", {"html": "<p>a"}, "there are no parameters at this address, so 'format' means nothing"),
        ("/extract", {"html": "<p>a", "fromat": "markdown"}, "unknown key 'fromat'; did you mean 'format'?"),
        ("/extract", {"html": "<p>a", "options": {"modes": "recall"}}, "unknown key 'modes'; did you mean 'mode'?"),
        ("/extract?fromat=html", {"html": "<p>a"}, "unknown key 'fromat'"),
        ("/blocks", {"html": "<p>a", "compared": True}, "did you mean 'compare'?"),
        ("/site", {"pages": [], "show": True}, "did you mean 'shown'?"),
        ("/site", {"pages": [{"html": "<p>a", "ulr": ""}]}, "did you mean 'url'?"),
        ("/pages", {"html": "<p>a", "charst": "x"}, "did you mean 'charset'?"),
        ("/extract?links=perhaps", b"<p>a", "links must be true or false"),
        ("/site", {"pages": [{"html": "<p>a"}]}, "must hold 2 to"),
        ("/blocks", {"html": "<p>a", "compare": ["goose"]}, "`compare` must be"),
    ],
)
def test_a_request_that_makes_no_sense_is_told_why(service, path, body, message):
    answer = service.post(path, body)
    assert answer.status == 400
    assert message in answer.json["message"]
    assert "?" not in path or isinstance(body, dict) or "limits" not in answer.json["message"].partition("Known")[2]


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"[1]",
        b"[" * 100_000,
        b'{"html": 3}',
        b"\xff\xfe",
        b"",
        b'{"html": "", "id": NaN}',
        b'{"html": "", "id": 1e999}',
    ],
)
def test_json_that_is_none_is_refused(service, body):
    answer = service.post("/extract", body, "application/json")
    assert answer.status == 400
    assert answer.json["error"] == "refused"


def test_a_form_with_a_field_twice_is_refused(service):
    part = '--b\r\nContent-Disposition: form-data; name="html"\r\n\r\n<p>a\r\n'
    answer = service.post("/extract", f"{part}{part}--b--\r\n".encode(), "multipart/form-data; boundary=b")
    assert (answer.status, answer.json["message"]) == (400, "'html' is given more than once")


def test_a_lower_limit_holds(service):
    answer = service.post("/extract", {"html": "<p>one two" * 500, "limits": {"max_nodes": 50}})
    assert answer.json["status"] == "too_many_nodes"


def test_halves_of_surrogate_pairs_do_no_harm(service):
    answer = service.post("/extract", rb'{"html": "<p>half \ud800 of a pair, and words"}', "application/json")
    assert answer.status == 200
    assert "of a pair" in answer.json["text"]


def test_a_batch_answers_in_order_and_a_bad_line_costs_only_itself(service):
    lines = [json.dumps({"html": f"<p>The page of number {n}, in words.", "id": n}) for n in range(40)]
    lines[7] = "this is no JSON"
    lines[9] = ""
    answer = service.post("/extract/batch?extractor=all", "\n".join(lines).encode(), "application/x-ndjson")
    found = [json.loads(line) for line in answer.body.splitlines()]
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    assert len(found) == 40
    assert (found[7]["error"], found[7]["line"]) == ("refused", 8)
    assert found[9] == {"line": 10, "error": "refused", "message": "the line is blank"}
    assert [each.get("id") for each in found] == [*range(7), None, 8, None, *range(10, 40)]
    assert found[20]["text"] == "The page of number 20, in words."


def test_every_line_of_a_batch_has_an_answer_with_its_id(service):
    lines = [
        b'{"id": "a", "html": "<p>some words"}', b'{"id": "b"}',
        b'{"id": {"c": [1]}, "html": "<p>x", "mode": "sideways"}', b"  ", b'{"id": null, "html": 3}', b'{"html": 3}',
        b"[1]", b"",
    ]  # fmt: skip
    for end in (b"", b"\n"):  # a line end after the last line begins no further line
        answer = service.post("/extract/batch", b"\n".join(lines[:-1]) + end)
        found = [json.loads(line) for line in answer.body.splitlines()]
        assert [each.get("line") for each in found] == [None, 2, 3, 4, 5, 6, 7]
        assert [each.get("id", "none") for each in found] == ["a", "b", {"c": [1]}, "none", None, "none", "none"]
        assert all(each["error"] == "refused" for each in found[1:])
    blank = service.post("/extract/batch", b"\n\n" + lines[0] + b"\n\n")
    assert [json.loads(line).get("line") for line in blank.body.splitlines()] == [1, 2, None, 4]
    assert service.post("/extract/batch", b"").body == b""


def test_an_empty_page_is_empty_and_of_no_type(service):
    found = service.post("/extract", b"", "text/html").json
    assert (found["status"], found["text"], found["type"], found["type_score"]) == ("empty", "", None, None)


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", "/extract", "POST"),
        ("GET", "/blocks", "POST"),
        ("GET", "/extract/batch", "POST"),
        ("GET", "/fetch", "POST"),
        ("DELETE", "/labels", "GET, HEAD, POST"),
        ("POST", "/health", "GET, HEAD"),
        ("POST", "/index.html", "GET, HEAD"),
    ],
)
def test_a_wrong_method_is_told_the_right_ones(service, method, path, allowed):
    answer = service.ask(method, path, b"")
    assert (answer.status, answer.headers["allow"]) == (405, allowed)
    assert answer.json["error"] == "wrong_method"
    assert f"takes {allowed}, not {method}" in answer.json["message"]


@pytest.mark.parametrize("path", ["/nothing", "/nothing/at/all", "/index.exe"])
def test_an_unknown_address_is_told_so(service, path):
    answer = service.get(path)
    assert (answer.status, answer.json["error"]) == (404, "unknown")


def test_a_batch_is_answered_while_it_is_sent(service):
    connection = service.raw(
        b"POST /extract/batch HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    )

    def send(text: str) -> None:
        line = text.encode() + b"\n"
        connection.sendall(b"%x\r\n%s\r\n" % (len(line), line))

    with connection:
        send('{"html": "<p>The first page", "id": 1}')
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        assert json.loads(answer.readline())["id"] == 1  # the body is not at its end
        send('{"html": "<p>The second page", "id": 2}')
        assert json.loads(answer.readline())["id"] == 2
        connection.sendall(b"0\r\n\r\n")
        assert answer.read() == b""


def test_a_batch_waits_for_another():
    head = b"POST /extract/batch HTTP/1.1\r\nHost: localhost\r\nContent-Length: 21\r\nConnection: close\r\n\r\n"
    with running(workers=1, max_requests=3) as service:
        held = [service.raw(head + b'{"html": "<p>') for _ in range(3)]
        service.wait_for_metric("thresher_requests_inside 3")
        assert service.post("/extract/batch", b"").status == 429
        held.pop(1).close()  # a client that goes away while it waits
        for connection in held:
            connection.sendall(b'words"}\n')
        for connection in held:
            with connection:
                assert b'"text":"words"' in read_all(connection)
        service.wait_for_metric("thresher_requests_inside 0")


def test_blocks_say_what_was_decided_and_why(service):
    found = thresher.extract(ARTICLE)
    answer = service.post("/blocks", {"html": ARTICLE, "compare": True, "gold": found.text, "shown": True}).json
    blocks = answer["blocks"]
    assert [(block["text"], block["kept"], block["kind"]) for block in blocks] == [
        (block.text, block.kept, block.kind) for block in found.blocks
    ]
    for block, wanted in zip(blocks, found.blocks, strict=True):
        assert block["score"] == pytest.approx(wanted.score, abs=1e-4)
        assert block["reason"].startswith("kept" if block["kept"] else "dropped")
        assert block["features"]["block_words"] == block["words"]
        assert 1 <= len(block["deciding"]) <= 3
        assert f'n="{block["order"]}"' in answer["shown"]
    heading = next(block for block in blocks if block["kind"] == "heading-1")
    assert heading["path"] == "html/body/article[1]/h1[1]"
    compared = {each["extractor"]: each for each in answer["compared"]}
    assert set(compared) == set(EXTRACTORS)
    assert compared["thresher"]["f1"] == 1.0
    assert compared["all"]["precision"] < 1.0
    assert "all" in blocks[0]["kept_by"]
    assert "thresher" not in blocks[0]["kept_by"]


def test_blocks_say_what_the_page_conceals_and_by_which_rule(service):
    hidden = (
        "<style>.fold{display:none}</style><p class=fold>In the sheet</p><div style='display:none'><p>In the style"
        "<p>and more</div><p hidden></p><p>The maker <span class=sr-only>for ears</span> saw it.</p><div>shown</div>"
    )
    answer = service.post(
        "/blocks", {"html": ARTICLE.replace("</article>", f"{hidden}</article>"), "explain": False}
    ).json
    assert [(each["reason"], each["in_line"], each["characters"], each["text"]) for each in answer["concealed"]] == [
        ("sheet", False, 12, "In the sheet"),
        ("display", False, 21, "In the style and more"),
        ("readers", True, 8, "for ears"),
    ]
    assert answer["concealed"][0]["by"] == "a rule of the page's style sheets"
    reasons = {block["text"]: block["concealed"] for block in answer["blocks"]}
    assert [reasons[text] for text in ("In the sheet", "In the style", "and more", "shown")] == [
        "sheet", "display", "display", None,
    ]  # fmt: skip
    assert {reasons[text] for text in reasons if "apples" in text} == {None}


def test_every_reason_has_its_words():
    from thresher.native.workspace import REASONS

    assert set(CONCEALED_BY) == set(REASONS.values()) - {"shown"}


def test_blocks_of_another_extractor_are_what_it_keeps(service):
    blocks = service.post("/blocks", {"html": ARTICLE, "extractor": "all", "explain": False}).json["blocks"]
    assert all(block["kept"] and "deciding" not in block for block in blocks)


def test_explained_are_the_blocks_that_were_asked_for(service):
    blocks = service.post("/blocks", {"html": ARTICLE, "explain": [1], "features": False}).json["blocks"]
    assert [block["order"] for block in blocks if "deciding" in block] == [1]
    assert "features" not in blocks[0]


def test_blocks_know_how_many_pages_of_the_host_have_them(service):
    other = ARTICLE.replace("Apple cake", "Plum cake").replace("Peel four apples", "Stone twenty plums")
    blocks = service.post("/blocks", {"html": ARTICLE, "others": [{"html": other}, {"html": "<p>else"}]}).json["blocks"]
    frequency = {block["text"]: block["template_frequency"] for block in blocks}
    assert frequency["Apple cake"] == 0
    assert frequency["Imprint Privacy"] == 0.5


def test_a_site_shows_its_template(service):
    pages = [
        {
            "html": ARTICLE.replace("Apple", name).replace("Peel", f"Wash and peel the {name} or"),
            "url": f"https://e.org/{name}",
        }
        for name in ("Apple", "Plum", "Pear", "Cherry")
    ]
    answer = service.post("/site", {"pages": pages, "shown": True}).json
    assert answer["n_pages"] == 4
    for page in answer["pages"]:
        by_text = {block["text"]: block for block in page["blocks"]}
        assert by_text["Imprint Privacy"]["pages"] == 4
        assert by_text["Imprint Privacy"]["temex"] == 1
        heading = next(block for block in page["blocks"] if block["kind"] == "heading-1")
        assert heading["pages"] == 1
        assert "x-thresher" in page["shown"]


def test_what_the_service_says_of_itself(service):
    assert {each["name"] for each in service.get("/extractors").json["extractors"]} == set(EXTRACTORS)
    healthy = {"status": "ok", "version": thresher.__version__, "workers": 2}
    wait_for(lambda: service.get("/health").json == healthy)
    document = service.get("/openapi.json").json
    of_docs = (CHECKOUT / "docs" / "service.md").read_text("utf-8")
    assert set(document["paths"]) | {"/openapi.json"} == set(re.findall(r"`(?:GET|POST) (/[a-z./]+)`", of_docs))
    assert document["components"]["schemas"]["Page"]["properties"]["mode"]["enum"] == [
        "precision",
        "balanced",
        "recall",
    ]
    service.get("/made/up/by/a/stranger")
    service.post("/extract", b"<p>a")
    text = service.get("/metrics").body.decode()
    assert re.search(r'thresher_requests_total\{route="/extract",status="200"\} \d+', text)
    assert re.search(r"thresher_resident_bytes [\d.e+]+", text)
    assert "stranger" not in text
    assert len(re.findall(r'_bucket\{route="/extract",le="\+Inf"\}', text)) == 1


def test_a_page_sent_by_an_extension_is_there_for_the_workbench(service):
    sent = service.post("/pages", {"html": ARTICLE, "url": "https://example.org/cake"})
    assert sent.status == 201
    assert service.get(f"/pages/{sent.json['id']}").json == {"html": ARTICLE, "url": "https://example.org/cake"}
    assert service.get("/pages/0123").status == 404


def test_the_bytes_of_sent_pages_are_held_until_a_worker_has_read_them():
    body = b"<p>" + b"x" * 1_000_000
    with running(workers=1, max_held=3_500_000) as service:
        run = service.pool.run
        statuses = []

        async def last(*arguments, **keywords):
            """Works on a page when five others were refused."""
            while statuses.count(429) < 5:  # noqa: ASYNC110 (threads count them)
                await asyncio.sleep(0.01)
            return await run(*arguments, **keywords)

        service.pool.run = last
        with ThreadPoolExecutor(8) as threads:
            for _ in range(8):
                threads.submit(lambda: statuses.append(service.post("/pages", body).status))
        assert sorted(statuses) == [201] * 3 + [429] * 5
        service.pool.run = run
        assert service.post("/pages", body).status == 201


@pytest.mark.parametrize("number", ["7" * 5000, "999999999999999999", "-1", "0x0", "%00", "%F0%9F%8C%BE", "1_0", " 0"])
def test_there_is_no_source_of_such_a_number(service, number):
    for path in (f"/sources/{quote(number, safe='%')}", f"/sources/{quote(number, safe='%')}/0"):
        assert service.get(path).status in {403, 404}


def test_no_place_of_a_source_is_an_error_of_the_service(tmp_path):
    archive = write_archive(tmp_path / "mill.warc.gz", {"https://mill.example/": made_up_page(1)})
    with running(workers=1, archives=(str(archive),)) as service:
        for place in ("9" * 18, "9" * 18 + ".1", "0." + "9" * 18, "9" * 5000, "-1", "%00", "a"):
            assert service.get(f"/sources/0/{place}").status == 400, place
            assert service.get(f"/sources/0?start={place}").status in {200, 400}, place
        assert service.get("/sources/0").json["pages"]
        misspelt = service.get("/sources/0?strat=1")
        assert misspelt.status == 400
        assert "did you mean 'start'?" in misspelt.json["message"]


def test_the_workbench_is_served_with_a_policy_that_names_no_other_host(service):
    for path, kind in (("/", "text/html"), ("/workbench.js", "text/javascript"), ("/workbench.css", "text/css")):
        answer = service.get(path)
        assert answer.headers["content-type"].startswith(kind)
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert not re.findall(rb"""(?:src|href)=["']?(?:https?:)?//""", answer.body)
    for path in ("/service.py", "/..%2fservice.py", "/%2e%2e/service.py", "/nothing.js"):
        assert service.get(path).status == 404


# --- strangers ---


def test_other_hosts_and_sites_are_not_answered(service):
    assert service.ask("GET", "/extractors", headers={"Host": "attacker.example"}).status == 403
    assert service.ask("POST", "/extract", b"<p>a", {"Origin": "https://attacker.example"}).status == 403
    assert service.ask("POST", "/extract", b"<p>a", {"Origin": "null"}).status == 403
    own = {"Origin": f"http://127.0.0.1:{service.port}"}
    assert service.ask("POST", "/extract", b"<p>a", own).status == 200
    extension = {"Origin": "chrome-extension://abcdefghijklmnop"}
    assert service.ask("POST", "/extract", b"<p>a", extension).status == 200


def test_the_image_asks_whether_there_are_workers():
    lines = (CHECKOUT / "Dockerfile").read_text("utf-8").splitlines()
    (check,) = (line.partition(" CMD ")[2] for line in lines if line.startswith("HEALTHCHECK"))
    _, *arguments = json.loads(check)
    assert "USER 10001" in lines
    assert 'ENTRYPOINT ["thresher", "serve", "--host", "0.0.0.0"]' in lines

    def status() -> int:
        return subprocess.run([sys.executable, *here], capture_output=True, check=False, timeout=LIMIT).returncode

    with running(token="correct-horse-battery", workers=1) as service:
        here = [each.replace(":8737/", f":{service.port}/") for each in arguments]
        assert here != arguments, "it asks at the usual port"
        wait_for(lambda: service.get("/health").status == 200)
        assert status() == 0
    assert status() == 1


def test_with_a_token_only_those_who_have_it_are_answered():
    with running(token="correct-horse-battery", workers=1) as service:
        assert service.post("/extract", b"<p>a").status == 401
        assert service.get("/metrics").status == 401
        assert service.get("/sources/0/1.js").status == 401
        assert service.get("/workbench.js").status == 200
        assert service.ask("POST", "/extract", b"<p>a", {"Authorization": "Bearer wrong"}).status == 401
        right = {"Authorization": "Bearer correct-horse-battery"}
        assert service.ask("POST", "/extract", b"<p>a", right).status == 200
        assert service.get("/").status == 200
        assert service.get("/health").status == 200


@pytest.mark.parametrize("page", ["shown", "plain"])
def test_hostile_pages_are_answered_and_the_service_goes_on(service, data, page):
    files = sorted(data.glob("hostile*/*.html"))
    assert files
    deep = b"<div>" * 100_000 + b"text " + b"<p" + b" a=b" * 50_000 + b">x"
    nulls = bytes(range(256)) * 2_000
    path = "/blocks?shown=1&explain=0" if page == "shown" else "/extract"
    for content in [*(file.read_bytes() for file in files), deep, nulls, b"", b"%PDF-1.7 x"]:
        assert service.post(path, content).status == 200
    assert service.pool.n_lost == 0


def kill_at_work(service, worker: int) -> None:
    """Kills a worker as soon as it has something to do."""
    wait_for(lambda: service.pool._crews[0].workers[0].task)
    os.kill(worker, signal.SIGKILL)


@pytest.mark.usefixtures("spawned")
def test_a_killed_worker_costs_its_request_alone():
    with running(workers=1) as service:
        assert service.post("/extract", ARTICLE.encode()).status == 200
        [worker] = service.pool.processes()
        os.kill(worker, signal.SIGSTOP)
        answers = []
        asking = threading.Thread(target=lambda: answers.append(service.post("/extract", ARTICLE.encode())))
        asking.start()
        kill_at_work(service, worker)
        asking.join(LIMIT)
        assert answers[0].status == 500
        assert answers[0].json["error"] == "worker_died"
        assert "SIGKILL" in answers[0].json["message"]
        assert service.post("/extract", ARTICLE.encode()).status == 200
        assert "thresher_workers_lost_total 1" in service.get("/metrics").body.decode()


@pytest.mark.usefixtures("spawned")
def test_a_worker_that_died_idle_is_not_noticed_by_anyone():
    with running(workers=1) as service:
        service.post("/extract", ARTICLE.encode())
        [worker] = service.pool.processes()
        os.kill(worker, signal.SIGKILL)
        wait_for(lambda: service.pool.alive == 0)
        assert service.post("/extract", ARTICLE.encode()).status == 200


@pytest.mark.usefixtures("spawned")
def test_a_worker_that_hangs_is_stopped_and_the_others_go_on(monkeypatch):
    clock = Clock()
    monkeypatch.setattr("thresher.running.pool.time", clock)
    with running(page_seconds=4.0) as service:
        service.post("/extract", ARTICLE.encode())
        wait_for(lambda: service.pool.alive == 2)
        hanging = service.pool._crews[0].workers[0]
        os.kill(hanging.process.pid, signal.SIGSTOP)
        answers = []
        threads = []
        while hanging.task is None or len(threads) < 6:
            thread = threading.Thread(target=lambda: answers.append(service.post("/extract", ARTICLE.encode()).status))
            threads.append(thread)
            thread.start()
            wait_for(lambda: hanging.task is not None or len(answers) == len(threads))
        wait_for(lambda: len(answers) == len(threads) - 1)
        clock.sleep(5.0)
        for thread in threads:
            thread.join(LIMIT)
        assert sorted(answers) == [200] * (len(threads) - 1) + [504]
        assert service.pool.n_stopped == 1


@pytest.mark.usefixtures("spawned")
def test_a_batch_outlives_a_worker():
    with running(workers=1) as service:
        service.post("/extract", ARTICLE.encode())
        [worker] = service.pool.processes()
        os.kill(worker, signal.SIGSTOP)
        threading.Thread(target=kill_at_work, args=(service, worker)).start()
        body = b'{"html": "<p>one", "id": 1}\n{"html": "<p>two", "id": 2}'
        found = [json.loads(line) for line in service.post("/extract/batch", body).body.splitlines()]
        assert (found[0]["error"], found[0]["id"], found[0]["line"]) == ("worker_died", 1, 1)
        assert found[1]["id"] == 2


@pytest.mark.usefixtures("spawned")
def test_a_page_beyond_the_memory_of_a_worker_fails_alone():
    with running(workers=1, worker_memory=450 << 20, page_seconds=LIMIT) as service:
        answer = service.post("/extract", b"<p>word " * 1_000_000)
        assert answer.status == 200
        assert answer.json["status"] == "error"
        assert service.post("/extract", ARTICLE.encode()).json["status"] == "ok"
        assert service.pool.n_lost == 0


@pytest.mark.usefixtures("spawned")
def test_a_worker_that_keeps_the_memory_of_a_large_page_is_replaced():
    with running(workers=1, page_seconds=LIMIT) as service:
        assert service.post("/extract", ARTICLE.encode()).status == 200
        before = service.pool.processes()
        assert service.post("/extract", ARTICLE.encode()).status == 200
        assert service.pool.processes() == before
        assert service.post("/extract", b"<p>word " * 1_000_000).json["status"] == "too_many_nodes"
        assert service.post("/extract", ARTICLE.encode()).json["status"] == "ok"
        assert service.pool.processes() != before
        assert sum(map(memory_of, service.pool.processes())) < 128 << 20
        assert service.pool.n_lost == service.pool.n_stopped == 0


# --- bodies ---

CHUNKED = b"POST %s HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"


def is_cut_off(connection: socket.socket, piece: bytes) -> bool:
    """True as soon as the other side ends a connection over which pieces are sent without end, and nothing is read."""
    try:
        while True:
            connection.sendall(piece)
    except TimeoutError:
        return False
    except ConnectionError:
        return True


def test_a_body_that_is_too_large_is_refused_before_it_is_read():
    with running(workers=1, max_body=10_000) as service:
        with service.raw(
            b"POST /extract HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999999999\r\n\r\n"
        ) as connection:
            assert b" 413 " in connection.recv(4096)
        assert service.post("/extract", b"a" * 10_001).status == 413
        assert service.post("/extract", b"a" * 10_000).status == 200
        with service.raw(CHUNKED % b"/extract" + b"2711\r\n" + b"a" * 10_001 + b"\r\n0\r\n\r\n") as connection:
            assert b" 413 " in connection.recv(4096)


@pytest.mark.parametrize("path", ["/extract", "/extract/batch", "/blocks", "/pages"])
def test_a_compressed_body_is_refused(service, path):
    body, headers = gzip.compress(b'{"html": "<p>some words"}\n'), {"Content-Type": "application/json"}
    for coding in ("gzip", "br", " GZIP"):
        answer = service.ask("POST", path, body, headers | {"Content-Encoding": coding})
        assert (answer.status, json.loads(answer.body)["error"]) == (415, "coded")
    assert service.ask("POST", path, gzip.decompress(body), headers | {"Content-Encoding": "identity"}).status < 300


@pytest.fixture(scope="module")
def small_bodies():
    with running(workers=1, max_body=100_000) as found:
        yield found


def test_an_endless_body_is_cut_off(small_bodies):
    connection = small_bodies.raw(CHUNKED % b"/extract")
    with connection:
        assert is_cut_off(connection, b"1000\r\n" + b"a" * 4096 + b"\r\n")
    small_bodies.wait_for_metric("thresher_held_bytes 0")


def test_an_endless_line_of_a_batch_is_cut_off(small_bodies):
    answer = small_bodies.post("/extract/batch", b'{"html": "<p>one", "id": 1}\n' + b"a" * 200_000)
    first, second = map(json.loads, answer.body.splitlines())
    assert first["id"] == 1
    assert (second["error"], second["line"]) == ("too_large", 2)


@pytest.mark.parametrize("end", [b"", b"\n"])
@pytest.mark.parametrize("length", [100_001, 300_000])
def test_a_line_that_is_too_large_costs_only_itself(small_bodies, length, end):
    small, large = b'{"html": "<p>some words", "id": "%d"}', b"a" * length
    lines = (large, small % 2, small % 3, large, large, b"", small % 7, b" " * 100_000, large)
    answer = small_bodies.post("/extract/batch", b"\n".join(lines) + end)
    found = [json.loads(line) for line in answer.body.splitlines()]
    assert [each.get("id") for each in found] == [None, "2", "3", None, None, None, "7", None, None]
    assert [each.get("error") for each in found] == [
        *("too_large", None, None, "too_large", "too_large", "refused", None, "refused", "too_large")
    ]
    assert [each["line"] for each in found if "line" in each] == [1, 4, 5, 6, 8, 9]


def test_a_slow_body_is_cut_off_and_holds_nothing():
    with running(workers=1, body_seconds=10 * LIMIT) as service:
        connection = service.raw(b"POST /extract HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nabc")
        with connection, service.passing_time(10 * LIMIT):
            assert b" 408 " in connection.recv(4096)
        service.wait_for_metric("thresher_requests_inside 0")
        service.wait_for_metric("thresher_held_bytes 0")


def test_a_slow_batch_is_cut_off():
    with running(workers=1, body_seconds=10 * LIMIT) as service:
        connection = service.raw(
            b"POST /extract/batch HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"
        )
        with connection, service.passing_time(10 * LIMIT):
            assert b"slow_body" in read_all(connection)


def test_each_line_of_a_batch_has_its_own_time():
    class Loop(asyncio.SelectorEventLoop):
        now = 0.0

        def time(self):
            return self.now

    async def arriving():
        for line in (b"one\n", b"two\n", b"three\n"):
            loop.now += 6
            await asyncio.sleep(0)
            yield line

    async def read():
        request = SimpleNamespace(stream=arriving)
        return [line async for line in read_lines(request, most=100, most_of_all=100, seconds=10)]

    loop = Loop()
    assert loop.run_until_complete(read()) == [b"one", b"two", b"three"]
    loop.close()


@pytest.mark.parametrize("head", [b"", b"GET /health HT", b"GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: "])
def test_a_slow_head_is_cut_off(head):
    with (
        running(workers=1, head_seconds=10 * LIMIT) as service,
        service.raw(head) as connection,
        service.passing_time(10 * LIMIT),
    ):
        assert read_all(connection) == b""


def has_unread(service) -> bool:
    """Whether the service waits for its one client to read."""
    return any(each._unread for each in list(service.served.server_state.connections))


@pytest.mark.usefixtures("spawned")  # large pages
def test_a_client_that_does_not_read_is_cut_off():
    page = ("<p>" + "many words of a page " * 20) * 2_000
    line = json.dumps({"html": page, "extractor": "all"}).encode() + b"\n"
    with running(workers=2, head_seconds=10 * LIMIT, body_seconds=1e9) as service:
        connection = service.raw(
            b"POST /extract/batch HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        with connection, service.passing_time(10 * LIMIT, when=lambda: has_unread(service)):
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            assert is_cut_off(connection, b"%x\r\n%s\r\n" % (len(line), line))
        assert service.post("/extract", ARTICLE.encode()).status == 200


@pytest.mark.usefixtures("spawned")  # large pages
def test_a_client_that_reads_a_large_answer_keeps_its_connection():
    page = ("<p>" + "many words of a page " * 20) * 20_000
    with running(workers=1, head_seconds=10 * LIMIT, page_seconds=LIMIT) as service:
        service.served.config.timeout_keep_alive = 1_000_000
        connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=LIMIT)
        for _ in range(2):
            connection.request("POST", "/extract?extractor=all", page, {"Content-Type": "text/html"})
            wait_for(lambda: has_unread(service))
            assert len(connection.getresponse().read()) > len(page) // 2
            service.loop.pass_time(11 * LIMIT)  # longer than the service waits for one that does not read
        assert connection.sock is not None  # still the first one
        connection.close()


@pytest.mark.usefixtures("spawned")  # large pages
def test_a_client_that_leaves_a_large_answer_unread_is_cut_off():
    page = (("<p>" + "many words of a page " * 400) * 1_500).encode()
    head = b"POST /extract?extractor=all HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(page)
    with running(workers=1, head_seconds=10 * LIMIT, page_seconds=LIMIT) as service, service.raw(head + page) as client:
        assert client.recv(1000).startswith(b"HTTP/1.1 200")
        with service.passing_time(10 * LIMIT, when=lambda: has_unread(service)):
            wait_for(lambda: not service.served.server_state.connections)
        assert len(read_all(client)) < len(page) // 2


def test_one_request_too_many_is_turned_away_at_once():
    with running(workers=1, max_requests=2) as service:
        service.post("/extract", b"<p>a")
        held = [
            service.raw(b"POST /extract HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc") for _ in range(2)
        ]
        service.wait_for_metric("thresher_requests_inside 2")
        answer = service.post("/extract", b"<p>a")
        assert answer.status == 429
        assert answer.headers["retry-after"] == "1"
        assert service.get("/health").status == 200
        for connection in held:
            connection.sendall(b"<p>defg")
            assert b" 200 " in connection.recv(4096)
            connection.close()
        assert service.post("/extract", b"<p>a").status == 200


def test_a_burst_is_answered_or_turned_away_and_nothing_is_left_over():
    with running(workers=1, max_requests=4) as service:
        statuses: list[int] = []
        threads = [
            threading.Thread(target=lambda: statuses.append(service.post("/extract", ARTICLE.encode() * 200).status))
            for _ in range(40)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(LIMIT)
        assert len(statuses) == 40
        assert set(statuses) <= {200, 429}
        assert statuses.count(200) >= 4
        service.wait_for_metric("thresher_requests_inside 0")


def test_bodies_of_all_requests_have_a_limit():
    with running(workers=1, max_held=50_000) as service:
        assert service.post("/extract", b"a" * 60_000).status == 429
        assert service.post("/extract", b"a" * 40_000).status == 200


# --- the command ---


def test_the_command_says_where_it_listens_and_ends_with_its_workers():
    command = [sys.executable, "-m", "thresher.commands.main", "serve", "--port", "0", "--workers", "1"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            line = process.stderr.readline()
            port = int(re.search(r"http://127\.0\.0\.1:(\d+)/", line)[1])
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT)
            connection.request("POST", "/extract", ARTICLE.encode())
            assert b"Peel four apples" in connection.getresponse().read()
            connection.close()
            children = subprocess.run(
                ["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True, check=True
            ).stdout.split()
            assert children
            process.send_signal(signal.SIGINT)
            assert process.wait(LIMIT) == 0
            assert process.stderr.read() == ""
            wait_for(lambda: not any(os.path.exists(f"/proc/{child}/root") for child in children))
        finally:
            process.kill()


@pytest.mark.parametrize(
    ("arguments", "environment", "message"),
    [
        (["--host", "0.0.0.0"], {}, "a token is needed"),
        (["--host", "192.0.2.7"], {"THRESHER_TOKEN": ""}, "the token is empty"),
        (["--host", "::"], {"THRESHER_TOKEN": "short"}, "at least 16"),
        (["--archive", "/nowhere/x.warc.gz"], {}, "no such file or folder"),
        (["--archive", "/nowhere/*.warc.gz"], {}, "no file matches this pattern"),
        (["--run", "/nowhere/out"], {}, "does not exist"),
        (["--run", "/"], {}, "is not the output of a run"),
        (["--port", "99999"], {}, "99999 is not in the range 0<=x<=65535"),
    ],
)
def test_the_command_refuses_to_start(arguments, environment, message):
    done = CliRunner().invoke(main, ["serve", "--port", "0", *arguments], env={"THRESHER_TOKEN": None, **environment})
    assert done.exit_code == 2
    assert message in done.stderr


def test_a_port_that_is_taken_is_a_message():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = CliRunner().invoke(main, ["serve", "--port", str(taken.getsockname()[1])])
    assert done.exit_code == 2
    assert "cannot listen on 127.0.0.1" in done.stderr
