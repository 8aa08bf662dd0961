import type { SettingsCode } from '../refusal-codes.ts';

export const profile = {
  nameHint: 'Shown to people you share files with. Optional.',
  change: 'Change picture',
  changed: 'Picture changed',
  removed: 'Picture removed',
  external: 'Your picture is on another site and is not shown here.',
  id: 'Account ID',
  since: 'Created',
  crop: 'Crop the picture',
  cropHint: 'Drag the picture to move it.',
  cropKeys: 'Or use the arrow keys, + and −.',
  zoom: 'Zoom',
  smaller: 'Zoom out',
  larger: 'Zoom in',
  use: 'Save picture',
  useWhole: 'Use the whole picture',
};

export const sessions = {
  lead: 'Devices and apps that are signed in to your account.',
  here: 'This device',
  active: (ago: string) => `Active ${ago}`,
  begun: (time: string) => `Signed in ${time}`,
  end: 'Sign out',
  ended: 'Session signed out',
  endOthers: 'Sign out all other sessions',
  endedOthers: 'All other sessions are signed out',
  app: (device: string) => `App, from ${device}`,
};

export const remove = {
  lead: 'Delete your account and all of its files. This cannot be undone.',
  also: 'When you delete your account, you lose:',
  list: [
    'your profile and picture',
    'your files and their keys',
    'your sessions on all devices',
    'your plan: the subscription is cancelled',
  ],
  final: 'This cannot be undone.',
  busy: 'Deleting…',
};

export const plan = {
  free: 'Free',
  renews: (date: string) => `Renews on ${date}`,
  ends: (date: string) => `Ends on ${date}`,
  pastDue: 'Your last payment failed. Update your payment method to keep your plan.',
  manage: 'Manage plan',
  buy: 'Choose a plan',
  cycle: 'Billing period',
  monthly: 'Monthly',
  yearly: 'Yearly',
  choose: (plan: string) => `Choose ${plan}`,
  charged: (dollars: string, date: string) => `You are charged ${dollars}; converted at the rate of ${date}`,
  saving: (money: string) => `Save ${money} a year`,
  team: 'Granted by our team',
};

/** The refusals that only profile and plan receive. */
export const settingsCodes: Readonly<Record<SettingsCode, string>> = {
  already_subscribed: 'You already have a plan.',
  avatar_not_found: 'You have no picture.',
  checkout_refused: 'This plan is not available right now.',
  file_too_large: 'This file is too large.',
  image_broken: 'This picture cannot be read.',
  image_too_large: 'This picture has too many pixels.',
  invalid_display_name: 'Use at most 100 characters, without line breaks.',
  no_active_subscription: 'You have no subscription.',
  no_billing_customer: 'You have not bought anything yet.',
  not_an_image: 'Choose a JPEG, PNG, WebP or GIF.',
  price_unavailable: 'The price cannot be shown right now.',
};
