// Runs before each test file. Files share their modules, so hooks of a module would run for the
// first file only.
import { afterAll } from 'vitest';
import { removeTempFolders } from './temp-folder.ts';

afterAll(removeTempFolders);
