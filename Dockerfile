# One image for the API and the Workers; AIDEN_ROLE and AIDEN_WORKERS_* say what a container does.
FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/client/package.json packages/client/
COPY packages/local-llm/package.json packages/local-llm/
# The image is Node 24 itself, so the npm package that fetches it elsewhere need not run its script.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && rm -rf node_modules/node node_modules/.bin/node

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production
COPY --from=packages /app/node_modules ./node_modules
COPY . .
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 4000 50051
CMD ["node", "src/main/entrypoints/start.ts"]
