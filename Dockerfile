# SPDX-License-Identifier: Apache-2.0
# The service: docker build -t thresher . && docker run -e THRESHER_TOKEN=… -p 8737:8737 thresher
FROM python:3.13-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev
COPY . /src
RUN pip wheel --no-cache-dir --wheel-dir /wheels '/src[serve]'

FROM python:3.13-slim
RUN --mount=from=build,source=/wheels,target=/wheels \
    pip install --no-cache-dir --no-index --find-links /wheels 'thresher[serve]' && useradd --uid 10001 thresher
USER 10001
EXPOSE 8737
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8737/health', timeout=4)"]
ENTRYPOINT ["thresher", "serve", "--host", "0.0.0.0"]
