# syntax=docker/dockerfile:1

FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o /out/sshd ./cmd/sshd \
 && mkdir -p /out/data /out/host_keys

# No shell, no package manager, no root: a static binary and what it keeps.
FROM gcr.io/distroless/static:nonroot
COPY --from=build /out/sshd /usr/local/bin/sshd
COPY --from=build --chown=nonroot:nonroot /out/data /data
COPY --from=build --chown=nonroot:nonroot /out/host_keys /host_keys
ENV BONEYARD_LISTEN=:2222 \
    BONEYARD_DATA=/data/boneyard.db \
    BONEYARD_HOST_KEYS=/host_keys
USER nonroot:nonroot
VOLUME ["/data", "/host_keys"]
EXPOSE 2222
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["sshd", "health"]
ENTRYPOINT ["sshd"]
