package dev.ligeiro.gateway.api.list.export;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.gateway.api.list.match.Found;
import dev.ligeiro.gateway.http.GatewayProperties;
import dev.ligeiro.testing.settings.Settings;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.TransactionSnapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class ExportTest {

    private static final TransactionId THIRD = TransactionId.at(Instant.ofEpochMilli(3));
    private static final TransactionId SECOND = TransactionId.at(Instant.ofEpochMilli(2));
    private static final TransactionSnapshot ROW =
            Transactions.cashin(SECOND, new Amount(100)).snapshot();

    /** Each read begins where the one before has ended. */
    private static Mono<Found> read(@Nullable TransactionId below, List<TransactionId> reads) {
        reads.add(below);
        return Mono.just(
                switch (reads.size()) {
                    case 1, 2 -> new Found(List.of(), THIRD);
                    case 3 -> new Found(List.of(ROW), SECOND);
                    default -> new Found(List.of(), null);
                });
    }

    /** Each read gets three rows. */
    @Test
    void ofLargeDocumentsAReadAsksForFewMoreThanItGets() {
        List<Integer> limits = new ArrayList<>();
        Export export = new Export(
                (below, limit) -> {
                    limits.add(limit);
                    return Mono.just(new Found(Collections.nCopies(Math.min(limit, 3), ROW), SECOND));
                },
                new CsvLines(Settings.defaults(GatewayProperties.class)));

        for (int i = 0; i < 3; i++) {
            export.next().block();
        }

        assertThat(limits).containsExactly(300, 6, 6);
    }

    @Test
    void readsThatFindNoRowsAreNotTheEnd() {
        CsvLines lines = new CsvLines(Settings.defaults(GatewayProperties.class));
        List<TransactionId> reads = new ArrayList<>();
        List<byte[]> sent = new ArrayList<>();
        Export export = new Export((below, limit) -> read(below, reads), lines);

        while (!export.ended) {
            export.next().blockOptional().ifPresent(sent::add);
        }

        assertThat(reads).containsExactly(null, THIRD, THIRD, SECOND);
        assertThat(sent.stream().map(bytes -> new String(bytes, UTF_8)))
                .containsExactly(
                        new String(lines.of(List.of(), true), UTF_8), new String(lines.of(List.of(ROW), false), UTF_8));
        assertThat(export.rows).isEqualTo(1);
    }
}
