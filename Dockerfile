# One static binary in an empty image, without a shell and libraries. It never runs as root, writes
# only to /data, and uses the network only as a service. doc/deploy/README.md describes how to run the
# service.
#
#   docker build -t pavage .
#   docker run --rm --read-only pavage count name:pentominoes-6x10
#   docker run --rm --read-only -i pavage count - < puzzle.yaml
#   docker run --rm --read-only -v "$PWD:/puzzles:ro" pavage count /puzzles/puzzle.yaml

FROM --platform=$BUILDPLATFORM node:22-slim AS page
WORKDIR /src/web
COPY web/package.json web/package-lock.json web/.npmrc ./
RUN --mount=type=cache,target=/root/.npm npm ci
COPY web .
RUN npm run build

FROM --platform=$BUILDPLATFORM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN --mount=type=cache,target=/go/pkg/mod go mod download
COPY . .
COPY --from=page /src/web/dist web/dist
# Set by docker build --platform; empty by default, for the platform of this machine.
ARG TARGETOS TARGETARCH
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH \
    go build -trimpath -buildvcs=false -ldflags="-s -w" -o /out/pavage ./cmd/pavage
RUN mkdir -p /out/data/tmp

FROM scratch
ARG VERSION=unknown
LABEL org.opencontainers.image.title="pavage" \
      org.opencontainers.image.description="Counts tilings without listing them" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="$VERSION"
# Certificate authorities, to verify the certificate of a database on another machine.
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /out/pavage /pavage
# A new volume begins as a copy of this folder, so it belongs to the user below.
COPY --from=build --chown=65532:65532 /out/data /data
# Temporary files, such as levels that do not fit in memory, are also on the volume: the image has no
# /tmp, and a /tmp in memory would not help.
ENV PAVAGE_DATA=/data \
    PAVAGE_LISTEN=:8080 \
    PAVAGE_HEALTH=127.0.0.1:8081 \
    TMPDIR=/data/tmp
USER 65532:65532
VOLUME /data
EXPOSE 8080
# For "pavage serve" and "pavage work", which answer at PAVAGE_HEALTH. Run other commands, such as a
# long count, with --no-healthcheck.
HEALTHCHECK --interval=15s --timeout=12s --start-period=30s --retries=3 CMD ["/pavage", "health"]
ENTRYPOINT ["/pavage"]
