# syntax=docker/dockerfile:1

# Pin both bases by digest where you build for others; docs/operation.md says how.
ARG GO_IMAGE=golang:1.26
ARG RUN_IMAGE=gcr.io/distroless/static:nonroot

FROM --platform=$BUILDPLATFORM ${GO_IMAGE} AS build
ARG TARGETOS TARGETARCH
# The sources come without their repository: say what they are.
ARG VERSION= REVISION=
WORKDIR /src
COPY go.mod go.sum ./
RUN --mount=type=cache,target=/go/pkg/mod go mod download
COPY . .
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath -buildvcs=false \
      -ldflags="-s -w -X main.release=$VERSION -X main.revision=$REVISION" -o /out/boneyard ./cmd/sshd \
 && mkdir -p /out/data /out/host_keys

# No shell, no package manager, no root: a static binary and what it keeps. The user nonroot is 65532.
FROM ${RUN_IMAGE}
ARG VERSION= REVISION=
LABEL org.opencontainers.image.title="Boneyard" \
      org.opencontainers.image.description="A domino club over ssh" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION"
COPY --from=build /out/boneyard /usr/local/bin/boneyard
COPY --from=build --chown=65532:65532 --chmod=0700 /out/data /data
COPY --from=build --chown=65532:65532 --chmod=0700 /out/host_keys /host_keys
ENV BONEYARD_LISTEN=:2222 \
    BONEYARD_DATA=/data/boneyard.db \
    BONEYARD_HOST_KEYS=/host_keys
USER 65532:65532
VOLUME ["/data", "/host_keys"]
EXPOSE 2222
STOPSIGNAL SIGTERM
# Health asks where BONEYARD_LISTEN says: set the variable, not --listen, to serve elsewhere.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["/usr/local/bin/boneyard", "health"]
ENTRYPOINT ["/usr/local/bin/boneyard"]
