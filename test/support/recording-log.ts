import type { Log, LogFields } from '../../core/ports.ts';

export interface LogLine {
  readonly level: keyof Log;
  readonly event: string;
  readonly fields: LogFields;
}

/** A log that stores its lines. */
export const makeRecordingLog = (): Log & { readonly lines: LogLine[] } => {
  const lines: LogLine[] = [];
  const at =
    (level: keyof Log) =>
    (event: string, fields: LogFields = {}) => {
      lines.push({ level, event, fields });
    };
  return { lines, info: at('info'), warn: at('warn'), error: at('error') };
};
