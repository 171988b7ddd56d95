import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

// A small MCP server over stdio, for the examples: it only computes, so anybody's Tool may call it.

const DAY_MS = 24 * 60 * 60 * 1_000;

const timeZone = z
  .string()
  .refine((value) => {
    try {
      new Intl.DateTimeFormat('en', { timeZone: value });
      return true;
    } catch {
      return false;
    }
  }, 'has to be an IANA time zone such as Europe/Paris')
  .default('UTC');

/** Wall-clock time somewhere: `2026-03-01 14:05:09`, with the day's name. */
export function timeIn(zone: string, at: Date): { local: string; weekday: string } {
  const local = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(at);
  const weekday = new Intl.DateTimeFormat('en', { timeZone: zone, weekday: 'long' }).format(at);
  return { local, weekday };
}

/** Whole days from one calendar day to another, negative when `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);
}

/** The server with its two tools, not yet connected. */
export function clockServer(now: () => Date): McpServer {
  const server = new McpServer({ name: 'clock', version: '1.0.0' });
  const annotations = { readOnlyHint: true, openWorldHint: false };

  server.registerTool(
    'current_time',
    {
      title: 'Current time',
      description: 'The date, time and day of the week in a time zone.',
      inputSchema: { timeZone },
      outputSchema: {
        utc: z.string(),
        timeZone: z.string(),
        local: z.string(),
        weekday: z.string(),
      },
      annotations,
    },
    ({ timeZone: zone }) =>
      answer({ utc: now().toISOString(), timeZone: zone, ...timeIn(zone, now()) }),
  );

  server.registerTool(
    'days_between',
    {
      title: 'Days between',
      description: 'How many days lie between two calendar days.',
      inputSchema: { from: z.iso.date(), to: z.iso.date() },
      outputSchema: { days: z.number().int() },
      annotations,
    },
    ({ from, to }) => answer({ days: daysBetween(from, to) }),
  );
  return server;
}

function answer<T extends Record<string, unknown>>(value: T) {
  return {
    content: [{ type: 'text' as const, text: JSON.stringify(value) }],
    structuredContent: value,
  };
}

if (import.meta.main) await clockServer(() => new Date()).connect(new StdioServerTransport());
