import { expect, it } from 'vitest';
import { freshName } from '../testkit/client.ts';
import { shipped } from '../testkit/shipped.ts';
import { consoleUser } from './console-user.ts';
import { asking } from './tour-data.ts';

const { api: eve, at } = consoleUser('eve');

it('edits a Process as a graph and as YAML, compares its versions and schedules it', async () => {
  const { toolId } = await shipped(eve);
  const id = await eve.creates('process', asking(toolId('summarise text'), freshName('graph')));
  const { page, faults } = await at(`/processes/${id}`);

  await page.getByText('Valid', { exact: true }).waitFor();
  await page.getByText('Worst case: 2 steps in all').click();
  await page.getByText('At most 6 attempts, retries included.').waitFor();
  await page.getByText('Worst case: 2 steps in all').click();

  // A step from the graph, with its inputs from the schema of its Tool.
  await page.getByRole('button', { name: 'Add a step' }).click();
  await page.getByLabel('Calls').selectOption({ label: 'summarise text' });
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const form = page.getByRole('region', { name: 'Step summarise_text' });
  await form.getByLabel('text', { exact: true }).fill('{step.drafft}');
  await form.getByLabel('draft').check();
  await expect.poll(() => page.locator('.step-node').count()).toBe(3);
  await page.getByText('Did you mean "draft"?').waitFor();
  await page.getByRole('button', { name: 'Write draft' }).last().click();
  await page.getByText('Valid', { exact: true }).waitFor();

  // Completion of a reference, in the text.
  const editor = page.getByLabel('Definition, as YAML');
  await editor.click();
  await page.keyboard.press('Control+End');
  // As slowly as a person, so that the brace is completed before the dot.
  await page.keyboard.type('# {context.', { delay: 120 });
  await page.locator('.cm-tooltip-autocomplete').getByText('letter').click();
  await page.locator('.cm-line').getByText('# {context.letter').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved version 2.').waitFor();
  const { process } = await eve.query<{ process: { steps: object[] } }>(
    'query ($id: ID!) { process(id: $id) { steps { stepId inputs dependsOn } } }',
    { id },
  );
  expect(process.steps[2]).toEqual({
    stepId: 'summarise_text',
    inputs: { text: '{step.draft}' },
    dependsOn: ['draft'],
  });

  await page.getByRole('tab', { name: /Versions/ }).click();
  const added = page.getByLabel('Differences of the versions').locator('.added');
  await added.getByText('stepId: summarise_text').waitFor();
  expect(await page.getByLabel('Differences of the versions').locator('.removed').count()).toBe(0);

  await page.getByRole('tab', { name: /Schedules/ }).click();
  await page.getByRole('button', { name: 'New schedule' }).click();
  await page.getByLabel('Cron expression').fill('@daily');
  await page.getByRole('dialog').getByLabel('letter').fill('The parcel arrived broken.');
  await page.getByRole('button', { name: 'Make the schedule' }).click();
  await page.getByRole('button', { name: 'Pause the schedule' }).click();
  await page.getByText('paused', { exact: true }).waitFor();
  // Its form has what it was made with; it keeps its id and stays paused.
  const scheduleId = async () => {
    const { process: found } = await eve.query<{ process: { schedules: { id: string }[] } }>(
      'query ($id: ID!) { process(id: $id) { schedules { id } } }',
      { id },
    );
    return found.schedules.map((schedule) => schedule.id);
  };
  const made = await scheduleId();
  await page.getByRole('button', { name: 'Change the schedule' }).click();
  const changed = page.getByRole('dialog');
  expect(await changed.getByLabel('letter').inputValue()).toBe('The parcel arrived broken.');
  await changed.getByLabel('Cron expression').fill('@weekly');
  await changed.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('cell', { name: '@weekly', exact: false }).getByText('paused').waitFor();
  expect(await page.getByText('@daily', { exact: true }).count()).toBe(0);
  expect(await scheduleId()).toEqual(made);
  // A copy has its values, and runs beside it.
  await page.getByRole('button', { name: 'Duplicate the schedule' }).click();
  expect(await changed.getByLabel('letter').inputValue()).toBe('The parcel arrived broken.');
  await changed.getByLabel('Cron expression').fill('@monthly');
  await changed.getByRole('button', { name: 'Make the schedule' }).click();
  const copy = page.getByRole('row').filter({ hasText: '@monthly' });
  await copy.getByRole('button', { name: 'Delete the schedule' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the schedule' }).click();
  await copy.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Delete the schedule' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the schedule' }).click();
  await page.getByRole('heading', { name: 'No schedule' }).waitFor();
  expect(faults).toEqual([]);
  await page.close();
});

it('keeps an edit that was not saved, through tabs, pages and a reload', async () => {
  const { toolId } = await shipped(eve);
  const id = await eve.creates('process', asking(toolId('summarise text'), freshName('draft')));
  const { page, faults } = await at(`/processes/${id}`);
  await page.getByText('Valid', { exact: true }).waitFor();
  await page.getByLabel('Definition, as YAML').click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('tokenBudget: 1234\n');
  const line = page.locator('.cm-line').getByText('tokenBudget: 1234');
  await line.waitFor();
  await page.getByRole('tab', { name: /Versions/ }).click();
  await page.getByRole('tab', { name: /Definition/ }).click();
  await line.waitFor();
  await page.reload();
  await page.getByText('Your unsaved changes are back.').waitFor();
  await line.waitFor();
  await page.getByText('Valid', { exact: true }).waitFor();
  await page.getByLabel('Definition, as YAML').click();
  await page.keyboard.press('Control+s');
  await page.getByText('Saved version 2.').waitFor();
  // A save while the settings are open leaves them, with what is typed meanwhile.
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  const settings = page.getByRole('region', { name: 'Settings of the Process' });
  const description = settings.getByLabel('Description (may be left out)');
  await description.fill('Answers letters.');
  await page.keyboard.press('Control+s');
  await page.keyboard.type(' And more.');
  await page.getByText('Saved version 3.').waitFor();
  await page.getByText('v3', { exact: true }).waitFor();
  expect(await description.inputValue()).toBe('Answers letters. And more.');
  await page.keyboard.press('Control+s');
  await page.getByText('Saved version 4.').waitFor();
  await page.reload();
  await page.getByText('Valid', { exact: true }).waitFor();
  expect(await page.getByText('unsaved changes are back').count()).toBe(0);
  expect(faults).toEqual([]);
  await page.close();
});

it('moves steps in the graph by a drag and by keys, keeps comments, and undoes', async () => {
  const { toolId } = await shipped(eve);
  const [draft] = asking(toolId('summarise text')).steps;
  const steps = ['one', 'two', 'three'].map((stepId) => ({
    ...draft,
    stepId,
    output: { variable: stepId },
  }));
  const definition = { name: freshName('order'), initialContext: ['letter'], steps };
  const id = await eve.creates('process', { ...definition, outputTemplate: '{{one}}' });
  const { page, faults } = await at(`/processes/${id}`);
  await page.getByText('Valid', { exact: true }).waitFor();
  const editor = page.getByLabel('Definition, as YAML');
  const text = await editor.innerText();
  await editor.fill(text.replace('  - stepId: three', '  # The last one.\n  - stepId: three'));
  const order = async () =>
    [...(await editor.innerText()).matchAll(/(?:# (.*)\n\s*)?- stepId: (\w+)/g)]
      .map(([, comment, stepId]) => (comment === undefined ? stepId : `(${comment}) ${stepId}`))
      .join(' ');
  await expect.poll(order).toBe('one two (The last one.) three');

  // A drag of the third card to the left of the first one, with a line where it would go.
  const card = (stepId: string) => page.locator(`.react-flow__node[data-id="${stepId}"]`);
  const drag = async (stepId: string, onto: string, offset: { x: number; y: number }) => {
    const [from, to] = [await card(stepId).boundingBox(), await card(onto).boundingBox()];
    if (from === null || to === null) throw new Error('A card is not drawn.');
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    const x = to.x + to.width * offset.x;
    const y = to.y + to.height * offset.y;
    await page.mouse.move(x, y, { steps: 8 });
    await page.locator('.drop-line').waitFor();
    await page.mouse.up();
    await page.locator('.drop-line').waitFor({ state: 'detached' });
  };
  await drag('three', 'one', { x: -0.05, y: 0.5 });
  await expect.poll(order).toBe('(The last one.) three one two');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(order).toBe('one two (The last one.) three');

  // Onto another one: both run at the same time.
  await drag('three', 'two', { x: 0.5, y: 0.9 });
  await expect
    .poll(async () => (await editor.innerText()).match(/mode: parallel/g)?.length)
    .toBe(2);
  await page.getByText('2 stages', { exact: false }).waitFor();

  // By keys: up in its group, then out of it to the left; and back by undo.
  await card('three').focus();
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(order).toBe('one (The last one.) three two');
  const topOf = async (stepId: string) => (await card(stepId).boundingBox())?.y ?? 0;
  expect(await topOf('three')).toBeLessThan(await topOf('two'));
  await page.keyboard.press('Alt+ArrowLeft');
  await page.getByText('three is step 2 now.').waitFor({ state: 'attached' });
  await page.getByText('3 stages', { exact: false }).waitFor();
  await page.keyboard.press('Control+z');
  await page.getByText('2 stages', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved version 2.').waitFor();
  const { process } = await eve.query<{
    process: { steps: { stepId: string; execution: { mode: string } }[] };
  }>('query ($id: ID!) { process(id: $id) { steps { stepId execution { mode } } } }', { id });
  expect(process.steps.map(({ stepId, execution }) => `${stepId} ${execution.mode}`)).toEqual([
    'one SEQUENTIAL',
    'three PARALLEL',
    'two PARALLEL',
  ]);
  expect(faults).toEqual([]);
  await page.close();
});
