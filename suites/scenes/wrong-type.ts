export const typeHint = 'look at the type before the value, and convert nothing';
