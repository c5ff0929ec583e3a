# One static binary in an empty image: no shell, no libraries, nothing to write.
#
#   docker build -t pavage .
#   docker run --rm --read-only pavage count name:pentominoes-6x10
#   docker run --rm --read-only -i pavage count - < puzzle.yaml
#   docker run --rm --read-only -v "$PWD:/data:ro" pavage count /data/puzzle.yaml

FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags="-s -w" -o /out/pavage ./cmd/pavage

FROM scratch
COPY --from=build /out/pavage /pavage
USER 65532:65532
ENTRYPOINT ["/pavage"]
