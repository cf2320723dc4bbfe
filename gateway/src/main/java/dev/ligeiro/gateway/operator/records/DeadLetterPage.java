package dev.ligeiro.gateway.operator.records;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some of the dead letters of a topic, in the order of their ids.
 *
 * @param next the last id of this page; null if there were no later dead letters when it was read
 */
record DeadLetterPage(List<DeadLetter> deadLetters, @Nullable DeadLetterId next) {}
