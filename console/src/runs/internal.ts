import { SYSTEM_USER_ID } from '../../../packages/client/src/system-user.ts';

/** Shipped Processes that people start or talk to. */
const FOR_PEOPLE = ['chat', 'assistant', 'tour', 'tour of one paragraph'];

/** Whether a Process is the product's own work, such as reading memories. */
export function isInternal({
  name,
  owner,
}: {
  readonly name: string;
  readonly owner: { readonly id: string };
}): boolean {
  return owner.id === SYSTEM_USER_ID && !FOR_PEOPLE.includes(name);
}
