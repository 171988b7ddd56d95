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

it('makes a scheduled Process with a REST Tool, a Secret and an approval by forms', async () => {
  const { page, faults } = await at('/catalog?view=secrets');
  const names = { secret: freshName('key'), service: freshName('weather'), tool: freshName('now') };

  // A Secret is typed once.
  await page.getByRole('button', { name: 'New Secret' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill(names.secret);
  await page.getByLabel('Value', { exact: true }).fill('sesame-and-more');
  await page.getByLabel(/^May go to/).fill(address);
  await page.getByRole('button', { name: 'Store the Secret' }).click();
  await page.getByRole('cell', { name: names.secret, exact: true }).waitFor();
  expect(await page.content()).not.toContain('sesame-and-more');

  // A Service is a kind and an address.
  await page.getByRole('tab', { name: /Services/ }).click();
  await page.getByRole('button', { name: 'New Service' }).click();
  await page.getByLabel('Name', { exact: true }).fill(names.service);
  await page.getByLabel('Address', { exact: true }).fill(address);
  await page.getByRole('button', { name: 'Make the Service' }).click();
  await page.getByRole('button', { name: `More for ${names.service}` }).click();
  await page.getByRole('menuitem', { name: 'New Tool on it' }).click();

  // A Tool: its inputs are found in its texts.
  await page.getByLabel('Name', { exact: true }).fill(names.tool);
  await page.getByLabel(/^Path/).fill('/towns/{{town}}');
  await page.getByRole('button', { name: 'Add a parameter' }).click();
  await page.getByLabel('Name of parameter 1').fill('days');
  await page.getByLabel('Value of days').fill('{{days}}');
  await page.getByLabel('Secret', { exact: true }).selectOption({ label: names.secret });
  await page.getByLabel('The Secret goes along').selectOption({ label: 'In a header of its own' });
  await page.getByLabel('Name of the header').fill('x-weather-key');
  await page.getByLabel('Type of days').selectOption({ label: 'Whole number' });
  await page.getByLabel('It answers with').selectOption({ label: 'An object with fields' });
  await page.getByRole('button', { name: 'Add a field' }).click();
  await page.getByLabel('Name of field 1').fill('celsius');
  await page.getByLabel('Type of celsius').selectOption({ label: 'Number' });
  await page.getByRole('button', { name: 'Make the Tool' }).click();
  const tried = page.getByRole('complementary', { name: 'Try the Tool' });
  await tried.getByLabel('town').fill('Porto');
  await tried.getByLabel('days').fill('2');
  await tried.getByRole('button', { name: 'Call' }).click();
  await tried.getByText('"sky"').waitFor();
  expect(asked.at(-1)).toBe('/towns/Porto days=2 sesame-and-more');

  // The address answers without the key too, so a health check shows nothing of it.
  await page.getByRole('link', { name: 'Catalog', exact: true }).first().click();
  await page.getByRole('tab', { name: /Secrets/ }).click();
  await page.getByRole('button', { name: `More for ${names.secret}` }).click();
  await page.getByRole('menuitem', { name: 'Test' }).click();
  await page.getByRole('dialog').getByText('This check cannot tell').waitFor();
  await page.keyboard.press('Escape');

  // A Process: settings, a step with picked variables, an approval, an output.
  await page.getByRole('link', { name: 'Processes' }).click();
  await page.getByRole('link', { name: 'New Process' }).first().click();
  const report = freshName('report');
  await page.getByLabel('Name', { exact: true }).fill(report);
  await page.getByRole('button', { name: 'Go on' }).click();
  const settings = page.getByRole('region', { name: 'Settings of the Process' });
  await settings.getByRole('button', { name: 'Add a variable' }).click();
  await settings.getByLabel('Name of variable 1').fill('city');
  await page.getByRole('button', { name: 'Add a step' }).click();
  await page.getByLabel('Calls').selectOption({ label: names.tool });
  await page.getByLabel('Id', { exact: true }).fill('look');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const step = page.getByRole('region', { name: 'Step look' });
  await step.getByRole('button', { name: 'Pick a variable for town' }).click();
  await page.getByRole('menuitem', { name: /context\.city text/ }).click();
  await step.getByLabel('days', { exact: true }).fill('3');
  await step.getByLabel('Waits for an approval').check();
  await step.getByText('When it fails').click();
  await step.getByLabel('Attempts in all').fill('4');
  await step.getByLabel('Timeout of an attempt, in seconds').fill('20');
  await step.getByRole('button', { name: 'Close the step' }).click();
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await settings.getByLabel('Output', { exact: true }).fill('It is ');
  await settings.getByRole('button', { name: 'Pick a variable for Output' }).click();
  await page.getByRole('menuitem', { name: /step\.look\.celsius number/ }).click();
  await page.getByText('Valid', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved version 1.').waitFor();

  // A schedule, run once by hand, approved.
  await page.getByRole('tab', { name: /Schedules/ }).click();
  await page.getByRole('button', { name: 'New schedule' }).click();
  await page.getByLabel('Cron expression').fill('@daily');
  await page.getByRole('dialog').getByLabel('city').fill('Faro');
  await page.getByRole('button', { name: 'Make the schedule' }).click();
  await page.getByRole('button', { name: 'Run now' }).click();
  await page.getByRole('link', { name: 'Needs approval' }).click();
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByText('It is 21').waitFor();
  expect(asked.at(-1)).toBe('/towns/Faro days=3 sesame-and-more');

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

it('goes the same way with the keyboard alone', async () => {
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

  await type(field('Name'), names.tool);
  await type(page.getByLabel(/^Path/), '/towns/{{town}}');
  await choose(field('Secret'), names.secret);
  await choose(field('The Secret goes along'), 'In a header of its own');
  await type(field('Name of the header'), 'x-weather-key');
  await choose(field('It answers with'), 'An object with fields');
  await press(button('Add a field'));
  await type(field('Name of field 1'), 'celsius');
  await choose(field('Type of celsius'), 'Number');
  await press(button('Make the Tool'));
  await page.getByRole('complementary', { name: 'Try the Tool' }).waitFor();

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
  await tick(step.getByLabel('Waits for an approval'));
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
  expect(asked.at(-1)).toBe('/towns/Faro  sesame-and-more');
  expect(faults).toEqual([]);
  await page.close();
});
