# docker build -t podgraph . && docker run --rm -v "$PWD:/work" podgraph build sample
# The base image is pinned by digest, so that a build does not depend on the day.
FROM python:3.13-slim@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b AS build
COPY . /src
RUN python -m venv /opt/podgraph && /opt/podgraph/bin/pip install --no-cache-dir /src

FROM python:3.13-slim@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b
COPY --from=build /opt/podgraph /opt/podgraph
RUN useradd --create-home --uid 1000 podgraph && mkdir /work && chown podgraph /work
ENV PATH="/opt/podgraph/bin:$PATH" PYTHONDONTWRITEBYTECODE=1
USER 1000
WORKDIR /work
ENTRYPOINT ["podgraph"]
CMD ["--help"]
