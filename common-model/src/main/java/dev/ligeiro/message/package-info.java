/**
 * The Kafka messages: commands (changes to make) and events (changes made), as JSON. Gateway and processor write commands, the
 * processor reads them and writes events, the webhook-dispatcher reads events. Depends on {@code transaction}.
 */
@NullMarked
package dev.ligeiro.message;

import org.jspecify.annotations.NullMarked;
