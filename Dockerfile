# One image for the API and the Workers; AIDEN_ROLE and AIDEN_WORKERS_* say what a container does.
FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/client/package.json packages/client/
COPY packages/gguf-llm/package.json packages/gguf-llm/
COPY packages/local-llm/package.json packages/local-llm/
# The image is Node 24 itself, so the npm package that fetches it elsewhere need not run its script.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && rm -rf node_modules/node node_modules/.bin/node
# Temporal's core comes for five platforms; one is loaded.
RUN core=$(node -p "({ x64: 'x86_64', arm64: 'aarch64' })[process.arch]")-unknown-linux-gnu \
    && find node_modules/@temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 ! -name "$core" -exec rm -rf {} +
# Types and source maps are for editors and debuggers: a quarter of the packages.
RUN find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.cts' -o -name '*.d.mts' \) -delete

# The console is built by development packages, which stay out of the image.
FROM node:24-bookworm-slim AS console
WORKDIR /app
COPY package.json package-lock.json tsconfig.json ./
COPY packages/client/package.json packages/client/
COPY packages/gguf-llm/package.json packages/gguf-llm/
COPY packages/local-llm/package.json packages/local-llm/
RUN npm ci --ignore-scripts --no-audit --no-fund && rm -rf node_modules/node node_modules/.bin/node
COPY src/host ./src/host
COPY stack/console.ts ./stack/console.ts
COPY packages/client ./packages/client
COPY console ./console
COPY docs/*.md ./docs/
RUN node stack/console.ts

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production XDG_CACHE_HOME=/app/cache
COPY --from=packages /app/node_modules ./node_modules
COPY package.json package-lock.json LICENSE ./
COPY src ./src
COPY schema ./schema
COPY workflows ./workflows
COPY activities ./activities
COPY cli ./cli
COPY proto ./proto
COPY examples ./examples
COPY packages ./packages
COPY --from=console /app/console/dist ./console/dist
# The workflows too are bundled here, for each way in which settings can ask for them.
RUN node --input-type=module -e "import { workflowBundle } from '/app/src/main/worker.ts'; for (const encrypts of [true, false]) for (const tracing of ['untraced', 'traced']) await workflowBundle(tracing, { encrypts })" \
    && rm -rf cache/swc-native-*
# A fresh volume takes over the owner of the folder that it is mounted on.
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 4000 50051
CMD ["node", "src/main/entrypoints/start.ts"]
