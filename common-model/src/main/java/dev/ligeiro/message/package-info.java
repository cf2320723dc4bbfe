/**
 * What the services say to each other over Kafka: commands (what should happen) and events (what happened), as JSON. The
 * gateway and the processor write commands, the processor writes events, the dispatcher reads them.
 */
@NullMarked
package dev.ligeiro.message;

import org.jspecify.annotations.NullMarked;
