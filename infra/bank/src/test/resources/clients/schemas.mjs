// Efí's own zod schemas judge what the bank has answered, and what it was sent.
import * as schemas from "./node_modules/sdk-node-apis-efi/dist/esm/types/pix.js";

const heard = Object.entries(JSON.parse(process.env.HEARD));
for (const [name, value] of heard) {
  const judged = schemas[name].safeParse(value);
  if (!judged.success) {
    console.error(`${name} refuses ${JSON.stringify(value)}: ${judged.error.message}`);
    process.exit(1);
  }
}
console.log(`${heard.length} accepted`);
