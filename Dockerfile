# One image for both services, the commands and the one-shot tasks; what runs is the command that it is given.
FROM node:22-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json ./
COPY core core
COPY adapters adapters
COPY servers servers
COPY cli cli
# What a careful umask made its owner's alone is read by the user that serves, too.
RUN npm run build && npm prune --omit=dev && npm install --save-prod prom-client@15 @simplewebauthn/server@14 && chmod -R a+rX .

FROM node:22-slim
# Containers are reached from outside: META_AUTH is `secret` and SELF_ENTITLEMENT is not `trust` on such a HOST.
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/cli cli
# Volumes that are mounted here belong to the user that serves.
RUN install -d -o node -g node -m 0700 /data /keys
USER node
EXPOSE 3000 3001
# Whichever of the services runs. Node.js itself gets SIGTERM and drains: 30 seconds at the most. A 429 is healthy, too: with
# one Redis RATE_LIMIT_HEALTH counts the checks of all containers together, since each comes from 127.0.0.1.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "const ask = async (port) => { const { ok, status } = await fetch(`http://127.0.0.1:${port}/health`); if (!ok && status !== 429) throw port; }; Promise.any([process.env.ACCOUNTS_PORT ?? 3000, process.env.METADATA_PORT ?? 3001].map(ask))"]
CMD ["node", "dist/servers/all.js"]
