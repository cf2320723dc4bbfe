package dev.ligeiro.gateway.publish;

import dev.ligeiro.message.Origin;
import dev.ligeiro.message.TransactionCommand;

/** A command and the request that caused it. */
public record CausedCommand(TransactionCommand command, Origin origin) {}
