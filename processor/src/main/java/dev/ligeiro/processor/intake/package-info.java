/**
 * Commands come in here and are led through: {@link dev.ligeiro.processor.intake.CommandListener} takes a batch from Kafka,
 * {@link dev.ligeiro.processor.intake.ProcessCommands} orders the steps of {@code decide}, {@code rail} and {@code apply}.
 */
@NullMarked
package dev.ligeiro.processor.intake;

import org.jspecify.annotations.NullMarked;
