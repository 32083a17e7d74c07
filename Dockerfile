# The kit and the reference stub: without arguments the stub, with arguments any command of tck.
#   docker run --rm -p 127.0.0.1:4010:4010 content-workspace-tck
#   docker run --rm -e TCK_KEY_PRIMARY -v "$PWD/tck-report:/report" content-workspace-tck run https://api.example.test --out /report
#   docker run --rm -p 127.0.0.1:4010:4010 -v "$PWD/tck-report:/report" content-workspace-tck proxy https://api.example.test --port 4010 --host 0.0.0.0 --allow-remote --out /report
ARG BASE=node:26-bookworm-slim

FROM ${BASE} AS build
WORKDIR /kit
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build && npm prune --omit=dev --no-audit --no-fund

FROM ${BASE}
LABEL org.opencontainers.image.title="content-workspace-tck" org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production
WORKDIR /kit
COPY --from=build /kit/package.json ./
COPY --from=build /kit/node_modules ./node_modules
COPY --from=build /kit/dist ./dist
# Keeps the compiled modules of the stub in the image, because every container starts with an empty temporary folder.
# Node.js has a separate cache for each user, so the user of the container fills it. Afterward, nobody can write to it.
ENV NODE_COMPILE_CACHE=/kit/compile-cache
RUN ["sh", "-c", "mkdir /kit/compile-cache && chown 1000 /kit/compile-cache"]
USER 1000:1000
RUN ["node", "dist/cli/main.js", "stub", "--", "node", "-e", "fetch(process.env.TCK_BASE_URL)"]
USER 0:0
RUN ["sh", "-c", "chown -R 0:0 /kit/compile-cache && chmod -R a=rX /kit/compile-cache"]
USER 1000:1000
EXPOSE 4010
# A connection is enough: a call would stand in the journal, and the client would be judged by it.
HEALTHCHECK --interval=5s --timeout=2s --start-period=5s \
  CMD ["node", "-e", "import('node:net').then(({ connect }) => connect(4010, '127.0.0.1', () => process.exit(0)).on('error', () => process.exit(1)))"]
ENTRYPOINT ["node", "/kit/dist/cli/main.js"]
CMD ["stub", "--host", "0.0.0.0", "--allow-remote"]
