# pgveil alone in an image: one static binary, no shell, no user but a number, no secrets.
#
#   docker build -t pgveil .
#   docker run -p 6432:6432 -v ./pgveil.toml:/etc/pgveil.toml:ro -e PGVEIL_KEY pgveil
#
# Keys come at run time, from the environment or from mounted files; the configuration must listen
# on 0.0.0.0 in there. The demo needs a Postgres of its own and does not run in this image.
ARG RUST=docker.io/library/rust:1.95.0-bookworm
FROM ${RUST} AS build
WORKDIR /src
# Also inside glibc's static libraries names resolve: /etc/hosts and DNS need no plug-ins there.
ENV RUSTFLAGS="-C target-feature=+crt-static"
COPY Cargo.toml Cargo.lock ./
COPY src src
# The manifest names files of these two, and `explain-code` prints a page.
COPY benches benches
COPY tests tests
COPY docs/refusals.md docs/
# A target of its own keeps the flag away from build scripts and procedural macros. Without
# `download` there is no TLS library in the binary.
RUN target=$(rustc -vV | sed -n 's/^host: //p') \
    && cargo build --profile dist --locked --no-default-features --target "$target" \
    && mkdir /out && cp "target/$target/dist/pgveil" /out/pgveil

FROM scratch
COPY --from=build /out/pgveil /pgveil
USER 65532:65532
EXPOSE 6432
STOPSIGNAL SIGTERM
# Needs [admin] in the configuration; without it, run with --no-healthcheck.
HEALTHCHECK --interval=10s --timeout=6s --start-period=30s \
    CMD ["/pgveil", "health", "-c", "/etc/pgveil.toml"]
ENTRYPOINT ["/pgveil"]
CMD ["serve", "-c", "/etc/pgveil.toml"]
