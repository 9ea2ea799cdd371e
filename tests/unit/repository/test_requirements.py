# SPDX-License-Identifier: Apache-2.0
"""What pyproject.toml asks for can be installed by the pip that Python 3.11 brings."""

import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from shared_data import CHECKOUT

PROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["project"]
REQUIREMENTS = [
    Requirement(line)
    for lines in (PROJECT["dependencies"], *PROJECT["optional-dependencies"].values())
    for line in lines
]
OLD_PIP = {"python_version": "3.11", "python_full_version": "3.11.2"}
# The first versions that ask for lxml[html-clean]. jusText, which Trafilatura needs, asks for lxml[html_clean]: pip
# before 23.3 takes them for one requirement, and one extra for two.
OTHER_SPELLING = {"newspaper4k": "0.9.4", "readability-lxml": "0.9"}


def test_no_requirement_names_an_extra_that_old_pips_read_in_two_ways():
    for requirement in REQUIREMENTS:
        assert all(extra == canonicalize_name(extra) for extra in requirement.extras), requirement
        assert canonicalize_name(requirement.name) != "lxml" or not requirement.extras, requirement


@pytest.mark.parametrize(("package", "version"), OTHER_SPELLING.items())
def test_old_pips_are_not_offered_the_other_spelling(package, version):
    named = [each for each in REQUIREMENTS if canonicalize_name(each.name) == package]
    for_old = [each for each in named if each.marker is None or each.marker.evaluate(OLD_PIP)]
    assert len(for_old) == 1
    assert not for_old[0].specifier.contains(version)
    assert for_old[0].specifier.contains("0.9.3" if package == "newspaper4k" else "0.8.4.1")
    newest = [each for each in named if each.marker is None or each.marker.evaluate({"python_version": "3.12"})]
    assert [each.specifier.contains("1.0") for each in newest] == [True]
