package dev.ligeiro.processor.archive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.store.ArchiveFields;
import dev.ligeiro.store.ArchiveFields.State;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Archived months come back: with the bytes that they left with, or not at all. */
class RestoreMonthsIT extends WithOldMonths {

    @Test
    @Tag("nightly")
    void afterACrashBetweenAnyTwoStepsARestoredMonthIsAsItWas() throws IOException {
        Map<UUID, RawBsonDocument> originals = without(stored(), SECOND);
        String hash = hash(originals);
        int crashes = 0;
        for (boolean ended = false; !ended; crashes++) {
            reset(originals);
            run(NOW);
            run(MINUTES_LATER);
            ask(FIRST, State.RESTORING);
            crashAt(crashes + 1);
            ended = run(MINUTES_LATER);
            crashAt(Integer.MAX_VALUE);
            requireNothingLost(originals);

            run(MINUTES_LATER);

            assertThat(state(FIRST)).isEqualTo(State.RESTORED);
            assertThat(hash(stored())).isEqualTo(hash);
        }
        assertThat(crashes).isGreaterThan(20);
        // it stays until it is wanted archived again
        run(DAYS_LATER);
        assertThat(state(FIRST)).isEqualTo(State.RESTORED);
        ask(FIRST, State.WAITING);
        run(DAYS_LATER);
        run(DAYS_LATER.plusSeconds(90));
        assertThat(stored()).isEqualTo(without(originals, FIRST));
        assertThat(folder.resolve("2025-01-2/manifest.json")).exists();
        assertThat(folder.resolve("2025-01/manifest.json")).exists();
    }

    @Test
    void anAlteredFileIsRefusedAndNothingOfTheMonthComesBack() throws IOException {
        Map<UUID, RawBsonDocument> originals = stored();
        run(NOW);
        run(MINUTES_LATER);
        Path second = partOfFirst(2);
        byte[] bytes = Files.readAllBytes(second);
        for (byte @Nullable [] altered : List.of(flipped(bytes), new byte[0])) {
            Files.write(second, altered);
            ask(FIRST, State.RESTORING);

            run(MINUTES_LATER);

            assertThat(state(FIRST)).isEqualTo(State.ARCHIVED);
            assertThat(month(FIRST).getString(ArchiveFields.ALTERED_FILE)).isEqualTo("2025-01/part-0002.jsonl.zst");
            assertThat(stored().keySet()).containsExactlyElementsOf(idsOf(YOUNG));
        }
        Files.delete(second);
        ask(FIRST, State.RESTORING);
        run(MINUTES_LATER);
        assertThat(state(FIRST)).isEqualTo(State.ARCHIVED);

        Files.write(second, bytes);
        ask(FIRST, State.RESTORING);
        run(MINUTES_LATER);
        assertThat(stored()).isEqualTo(without(originals, SECOND));
        assertThat(month(FIRST)).doesNotContainKey(ArchiveFields.ALTERED_FILE);
    }

    /** The file is altered at each step of the removal; then operators ask for the return, and the file is put back. */
    @Test
    void noFileIsWrittenAgainOnceATransactionIsRemoved() throws IOException {
        Map<UUID, RawBsonDocument> originals = without(stored(), SECOND);
        Path second = partOfFirst(2);
        int refused = 0;
        for (int step = 1; step == 1 || steps.get() >= step - 1; step++) {
            reset(originals);
            run(NOW);
            byte[] bytes = Files.readAllBytes(second);
            steps.set(0);
            alterAt = step;
            run(MINUTES_LATER);
            alterAt = Integer.MAX_VALUE;
            int taken = steps.get();
            refused += month(FIRST).containsKey(ArchiveFields.ALTERED_FILE) ? 1 : 0;
            if (state(FIRST) == State.ARCHIVED) {
                ask(FIRST, State.RESTORING);
            }
            for (int again = 1; again < 4; again++) {
                run(MINUTES_LATER.plusSeconds(90L * again));
            }

            Files.write(second, bytes);
            requireNothingLost(originals);
            if (state(FIRST) != State.RESTORED) {
                ask(FIRST, State.RESTORING);
            }
            run(DAYS_LATER);
            assertThat(stored()).as("altered at step " + step).isEqualTo(originals);
            steps.set(taken);
        }
        // fewer would mean that no file was altered after the first removal
        assertThat(refused).isGreaterThan(2);
    }

    @Test
    void aReferenceThatIsUsedAgainStaysWithTheNewerTransaction() {
        run(NOW);
        run(MINUTES_LATER);
        Transaction newer = Transactions.like(Transactions.cashin(TransactionId.at(NOW), new Amount(100)))
                .reference("order-2025-01-0")
                .build();
        mongodb.stored(newer);
        ask(FIRST, State.RESTORING);

        run(MINUTES_LATER);

        assertThat(state(FIRST)).isEqualTo(State.RESTORED);
        assertThat(month(FIRST).getLong(ArchiveFields.KEYS_TAKEN)).isEqualTo(1);
        assertThat(mongodb.read(id(FIRST, 0)).terms().reference()).isNull();
        assertThat(mongodb.read(id(FIRST, 1)).terms().reference()).isEqualTo("order-2025-01-1");
        assertThat(stored().keySet()).containsAll(idsOf(FIRST));
    }

    private static String hash(Map<UUID, RawBsonDocument> all) {
        MessageDigest digest = digest();
        all.values().forEach(one -> digest.update(one.getByteBuffer().asNIO()));
        return HexFormat.of().formatHex(digest.digest());
    }
}
