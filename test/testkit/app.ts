import { startApi } from './api-server.ts';

// The app of the api tests, a process of its own: API and workers, as `npm start` runs them, on any free port.
const app = await startApi({}, (line) => {
  // Defects of the app belong beside the test that met them.
  if (line.includes('"level":50')) process.stderr.write(line);
});
process.send?.({ url: app.url });
process.on('disconnect', () => void app.stop().finally(() => process.exit(0)));
