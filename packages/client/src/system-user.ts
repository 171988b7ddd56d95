/** Id of the owner of what ships with the product, the same in every installation. */
export const SYSTEM_USER_ID = '00000000-0000-7000-8000-000000000001';
