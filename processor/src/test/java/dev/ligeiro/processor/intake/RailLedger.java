package dev.ligeiro.processor.intake;

import dev.ligeiro.message.RailOutcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A rail's ledger in a file, one line for each movement of money. It survives the SIGKILL of a processor. It moves money at each
 * submission, even under an id that it knows.
 */
record RailLedger(Path file) {

    /** @param id of the transaction or refund */
    void move(Object id) {
        try {
            Files.writeString(file, id + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    RailOutcome outcome(Object id) {
        return movements().containsKey(id.toString()) ? RailOutcome.Settled.asAgreed() : new RailOutcome.NotFound();
    }

    /** How many times the money of each id was moved. */
    Map<String, Long> movements() {
        try {
            return Files.exists(file)
                    ? Files.readAllLines(file).stream()
                            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()))
                    : Map.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
