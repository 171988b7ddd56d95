import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshName } from '../testkit/client.ts';
import { closing, listening } from '../testkit/listen.ts';
import { consoleUser, url } from './console-user.ts';
import { keyboardOf } from './keyboard.ts';

const { api: mia, at } = consoleUser('mia');
let weather: Server;
let address: string;
/** The requests that the server of the story got, with their key. */
const asked: string[] = [];

beforeAll(async () => {
  weather = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://weather');
    // Health is probed at `/`, at any time.
    if (pathname !== '/')
      asked.push(`${pathname} ${searchParams} ${request.headers['x-weather-key']}`);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ celsius: 21, sky: 'clear' }));
  });
  address = `http://${await listening(weather)}`;
});
afterAll(async () => {
  await closing(weather);
});

it('makes a scheduled Process with Tool and Secret by keyboard, and deletes it all', async () => {
  const { page, faults } = await at('/catalog?view=secrets');
  const names = { secret: freshName('key'), service: freshName('weather'), tool: freshName('now') };
  const { tabTo, press, type, tick, choose, pick, hasFocus } = keyboardOf(page);
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).first();
  const field = (name: string) => page.getByLabel(name, { exact: true });
  const item = (name: string | RegExp) => page.getByRole('menuitem', { name });

  await press(button('New Secret'));
  await type(field('Name'), names.secret);
  await type(field('Value'), 'sesame-and-more');
  await type(page.getByLabel(/^May go to/), address);
  await press(button('Store the Secret'));
  await page.getByRole('cell', { name: names.secret, exact: true }).waitFor();
  expect(await page.content()).not.toContain('sesame-and-more');
  expect(await hasFocus(), 'after the dialog of a Secret').toBe(true);

  await tabTo(page.getByRole('tab', { name: /Secrets/ }), 'Shift+Tab');
  await page.keyboard.press('ArrowLeft');
  // It stands above the tabs, and below them is a list of any length.
  await tabTo(button('New Service'), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await type(field('Name'), names.service);
  await type(field('Address'), address);
  await press(button('Make the Service'));
  await page.getByRole('cell', { name: names.service, exact: true }).waitFor();
  expect(await hasFocus(), 'after the dialog of a Service').toBe(true);
  await press(button(`More for ${names.service}`));
  await pick(item('New Tool on it'));

  // Its inputs are found in its texts.
  await type(field('Name'), names.tool);
  await type(page.getByLabel(/^Path/), '/towns/{{town}}');
  await press(button('Add a parameter'));
  await type(field('Name of parameter 1'), 'days');
  await type(field('Value of days'), '{{days}}');
  await choose(field('Secret'), names.secret);
  await choose(field('The Secret goes along'), 'In a header of its own');
  await type(field('Name of the header'), 'x-weather-key');
  await choose(field('Type of days'), 'Whole number');
  await choose(field('It answers with'), 'An object with fields');
  await press(button('Add a field'));
  await type(field('Name of field 1'), 'celsius');
  await choose(field('Type of celsius'), 'Number');
  await press(button('Make the Tool'));
  const tried = page.getByRole('complementary', { name: 'Try the Tool' });
  await type(tried.getByLabel('town'), 'Porto');
  await type(tried.getByLabel('days'), '2');
  await press(tried.getByRole('button', { name: 'Call' }));
  await tried.getByText('"sky"').waitFor();
  expect(asked.at(-1)).toBe('/towns/Porto days=2 sesame-and-more');

  await press(page.getByRole('link', { name: 'Processes', exact: true }));
  await press(page.getByRole('link', { name: 'New Process' }).first());
  const report = freshName('report');
  await type(field('Name'), report);
  await page.keyboard.press('Enter');
  const settings = page.getByRole('region', { name: 'Settings of the Process' });
  await press(settings.getByRole('button', { name: 'Add a variable' }));
  await type(settings.getByLabel('Name of variable 1'), 'city');
  await press(button('Add a step'));
  await choose(field('Calls'), names.tool);
  await type(field('Id'), 'look');
  await page.keyboard.press('Enter');
  const step = page.getByRole('region', { name: 'Step look' });
  await press(step.getByRole('button', { name: 'Pick a variable for town' }));
  await pick(item(/context\.city text/));
  await type(step.getByLabel('days', { exact: true }), '3');
  await tick(step.getByLabel('Waits for an approval'));
  await press(step.locator('summary', { hasText: 'When it fails' }));
  await type(step.getByLabel('Attempts in all'), '4');
  await type(step.getByLabel('Timeout of an attempt, in seconds'), '20');
  await press(button('Settings'));
  await type(settings.getByLabel('Output', { exact: true }), 'It is ');
  await press(settings.getByRole('button', { name: 'Pick a variable for Output' }));
  await pick(item(/step\.look\.celsius number/));
  await page.getByText('Valid', { exact: true }).waitFor();
  await page.keyboard.press('Control+s');
  await page.getByText('Saved version 1.').waitFor();

  await tabTo(page.getByRole('tab', { selected: true }));
  for (let tabs = 0; (await button('New schedule').count()) === 0 && tabs < 5; tabs++)
    await page.keyboard.press('ArrowRight');
  await press(button('New schedule'));
  await type(page.getByLabel('Cron expression'), '@daily');
  await type(page.getByRole('dialog').getByLabel('city'), 'Faro');
  await press(button('Make the schedule'));
  await press(button('Run now'));
  await press(page.getByRole('link', { name: 'Needs approval' }));
  await press(button('Approve'));
  await page.getByText('It is 21').waitFor();
  expect(asked.at(-1)).toBe('/towns/Faro days=3 sesame-and-more');

  // The address answers without the key too, so a health check shows nothing of it.
  await page.getByRole('link', { name: 'Catalog', exact: true }).first().click();
  await page.getByRole('tab', { name: /Secrets/ }).click();
  await page.getByRole('button', { name: `More for ${names.secret}` }).click();
  await page.getByRole('menuitem', { name: 'Test' }).click();
  await page.getByRole('dialog').getByText('This check cannot tell').waitFor();
  await page.keyboard.press('Escape');

  // Nothing that is needed can be deleted, and the screen names what needs it.
  await page.getByRole('link', { name: 'Catalog' }).click();
  await page.getByRole('button', { name: `More for ${names.tool}` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const question = page.getByRole('dialog');
  await question.getByRole('link', { name: report }).click();
  await page.getByRole('heading', { name: report }).waitFor();
  await page.getByRole('button', { name: `More for ${report}` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await question.getByText('The schedule @daily').waitFor();
  expect(await question.getByRole('button', { name: 'Delete the Process' }).isDisabled()).toBe(
    true,
  );
  await question.getByRole('button', { name: 'Leave it' }).click();
  await page.getByRole('tab', { name: /Schedules/ }).click();
  await page.getByRole('button', { name: 'Delete the schedule' }).click();
  const deleteIt = question.getByRole('button', { name: 'Delete the schedule' });
  await deleteIt.click();
  await page.getByRole('heading', { name: 'No schedule' }).waitFor();
  // For some seconds a deletion is taken back; the schedule was never away.
  await page.getByText('Deleted the schedule @daily.').waitFor();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByRole('button', { name: 'Delete the schedule' }).click();
  await deleteIt.click();
  await page.getByRole('button', { name: `More for ${report}` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await question.getByRole('button', { name: 'Delete the Process' }).click();
  await page.getByText(`Deleted ${report}.`).waitFor();
  expect(await page.getByRole('link', { name: report }).count()).toBe(0);
  const kept = async () => {
    const { processes } = await mia.query<{ processes: { nodes: { name: string }[] } }>(
      '{ processes(first: 100, includeShared: false) { nodes { name } } }',
    );
    return processes.nodes.map(({ name }) => name);
  };
  expect(await kept()).toContain(report);
  // A page that is left sends what waits at once, in order: the schedule needs the Process.
  await page.goto(`${url}/console/runs`);
  await expect.poll(kept, { timeout: 8_000 }).not.toContain(report);
  expect(faults).toEqual([]);
  await page.close();
});
