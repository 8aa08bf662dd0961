/** The exit codes of servers and commands, after sysexits.h. docs/operating.md and docs/commands.md explain them. */
export const exitCodes = {
  /** The command is done; the server has drained. */
  done: 0,
  /** The command failed; in a server, a defect. */
  failed: 1,
  /** The command was used wrongly. */
  wrongUsage: 2,
  /** The store cannot be used now. The same start may work later (EX_TEMPFAIL). */
  tryLater: 75,
  /** A setting is missing or wrong. The same start fails again (EX_CONFIG). */
  wrongSettings: 78,
} as const;
