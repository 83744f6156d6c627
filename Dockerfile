# syntax=docker/dockerfile:1

# Both base images are pinned by digests for all platforms; docs/operation.md says how to update them.
ARG GO_IMAGE=golang:1.26.8@sha256:0f063af2d465d8dcae54cce04278ada488b96f77b42449c8d071e47d016cc65a
ARG RUN_IMAGE=gcr.io/distroless/static:nonroot@sha256:e2e927ec666bae08560abb3c55d0659eceabb657f56b6782ab500a9fc7f555e3

FROM --platform=$BUILDPLATFORM ${GO_IMAGE} AS build
ARG TARGETOS
ARG TARGETARCH
# The build has no access to the Git repository: pass the version, the commit and its date.
ARG VERSION=
ARG REVISION=
ARG REVISED=
WORKDIR /src
COPY go.mod go.sum ./
RUN --mount=type=cache,target=/go/pkg/mod go mod download
COPY . .
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath -buildvcs=false \
      -ldflags="-s -w -X main.release=$VERSION -X main.revision=$REVISION -X main.revised=$REVISED" -o /out/boneyard ./cmd/sshd \
 && .ci/notices "$TARGETOS/$TARGETARCH" > /out/NOTICES \
 && mkdir -p /out/data /out/host_keys

# No shell, no package manager, no root: a static binary and its data. The user nonroot is 65532.
FROM ${RUN_IMAGE}
ARG VERSION=
ARG REVISION=
LABEL org.opencontainers.image.title="Boneyard" \
      org.opencontainers.image.description="A domino club over ssh" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION"
COPY --from=build /out/boneyard /usr/local/bin/boneyard
COPY --from=build /out/NOTICES /usr/local/share/doc/boneyard/NOTICES
COPY --from=build --chown=65532:65532 --chmod=0700 /out/data /data
COPY --from=build --chown=65532:65532 --chmod=0700 /out/host_keys /host_keys
ENV BONEYARD_LISTEN=:2222 \
    BONEYARD_DATA=/data/boneyard.db \
    BONEYARD_HOST_KEYS=/host_keys
USER 65532:65532
VOLUME ["/data", "/host_keys"]
EXPOSE 2222
STOPSIGNAL SIGTERM
# The health check reads BONEYARD_LISTEN: to change the address, set the variable, not --listen.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["/usr/local/bin/boneyard", "health"]
ENTRYPOINT ["/usr/local/bin/boneyard"]
