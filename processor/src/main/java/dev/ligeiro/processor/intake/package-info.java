/**
 * Receives and processes commands: {@link dev.ligeiro.processor.intake.CommandListener} receives batches from Kafka,
 * {@link dev.ligeiro.processor.intake.ProcessCommands} runs the steps of {@code decide}, {@code rail} and {@code apply}.
 */
@NullMarked
package dev.ligeiro.processor.intake;

import org.jspecify.annotations.NullMarked;
