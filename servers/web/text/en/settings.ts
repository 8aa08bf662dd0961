export const profile = {
  nameHint: 'Shown to people you share with. May stay empty.',
  change: 'Change picture',
  remove: 'Remove',
  changed: 'Picture changed',
  removed: 'Picture removed',
  external: 'Your picture is on another site and is not shown here.',
  details: 'Details',
  id: 'Account number',
  since: 'Created',
  pictureHint: 'JPEG, PNG, WebP or GIF',
  crop: 'Crop the picture',
  cropHint: 'Drag the picture or use the arrow keys. + and − change its size.',
  zoom: 'Size',
  use: 'Use this part',
  useWhole: 'Use as it is',
};

export const sessions = {
  lead: 'Where you are signed in.',
  here: 'This device',
  used: (time: string) => `Last used ${time}`,
  begun: (time: string) => `signed in ${time}`,
  end: 'Sign out',
  ended: 'Signed out there',
  endOthers: 'Sign out all others',
  endedOthers: 'All others are signed out',
  details: 'Browser in full',
  app: (device: string) => `An app, signed in from ${device}`,
};

export const remove = {
  lead: 'This deletes your account and all files. It cannot be undone.',
  list: [
    'your profile and picture',
    'your files and their keys',
    'your sessions on all devices',
    'your plan: it is cancelled',
  ],
  busy: 'Deleting…',
};

export const plan = {
  current: 'Your plan',
  free: 'Free',
  renews: (date: string) => `Renews on ${date}`,
  ends: (date: string) => `Ends on ${date}`,
  manage: 'Manage',
  buy: 'Buy a plan',
  cycle: 'Paid by',
  monthly: 'Monthly',
  yearly: 'Yearly',
  choose: (plan: string) => `Choose ${plan}`,
  month: 'month',
  year: 'year',
  stale: (date: string) => `rate of ${date}`,
  leaving: 'Opening…',
  team: 'Given by the team',
};

export const domain = {
  lead: 'Give your shared files an address of your own.',
  hint: 'Such as files.example.com',
  set: 'Set domain',
  due: 'Add this record to the DNS of the domain, then check.',
  recordType: 'Type',
  recordValue: 'Value',
  check: 'Check now',
  waiting: 'Waiting for the record',
  verified: 'Verified',
  remove: 'Remove domain',
  removed: 'Domain removed',
  only: 'A domain of your own is part of the enterprise plan.',
};
