package dev.ligeiro.bundle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.BundleKeys;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.EventId;
import dev.ligeiro.message.Origin;
import dev.ligeiro.store.StoredDelivery;
import dev.ligeiro.store.StoredDelivery.StoredAttempt;
import dev.ligeiro.store.StoredPosting;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.webhook.DeliveryId;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rest is tested with the gateway, by the program that verifies bundles. */
class BundleWriterTest {

    private static final Instant MADE_AT = Instant.parse("2026-11-30T11:02:07.123Z");
    private static final UUID ENDPOINT = new UUID(1, 2);
    private static final UUID OTHER = new UUID(1, 3);

    private final Random random = new Random(1);
    private final BundleWriter writer = new BundleWriter(
            SigningKeys.parse(List.of(BundleKeys.SIGNING)), ZoneId.of("America/Sao_Paulo"), "https://pix.example.com");

    @Test
    void theSameBundleOfTheSameTimeIsTheSameBytes() {
        Bundle bundle = new Bundle(Transactions.goldenCashin(), "Loja", List.of(), List.of(), null);

        assertThat(writer.write(bundle, MADE_AT))
                .isEqualTo(writer.write(bundle, MADE_AT))
                .isNotEqualTo(writer.write(bundle, MADE_AT.plusSeconds(1)));
    }

    /** Random texts cannot be compressed. */
    @Test
    void theLargestBundleHasAtMostOneMegabyte() {
        Transaction largest = Transactions.largest();
        List<StoredPosting> postings = StoredPosting.idsOf(largest).stream()
                .map(id -> new StoredPosting(
                        id, MADE_AT, "refund", -100, 1, Map.of("merchant", -99L, "fees", -1L, "refundInFlight", 100L)))
                .toList();
        List<@Nullable StoredDelivery> deliveries = new ArrayList<>(IntStream.rangeClosed(1, Bundle.Deliveries.MAX)
                .mapToObj(number -> delivery(new EventId(largest.id(), number)))
                .toList());
        Bundle bundle = new Bundle(
                largest,
                "Loja",
                List.of(),
                postings,
                Bundle.Deliveries.of(deliveries, Map.of(ENDPOINT, "https://example.com/hooks?secret")));

        assertThat(writer.write(bundle, MADE_AT)).hasSizeLessThan(1_000_000);
    }

    private StoredDelivery delivery(EventId event) {
        List<StoredAttempt> attempts = new ArrayList<>(
                IntStream.range(0, 97).mapToObj(number -> attempt(number, null)).toList());
        IntStream.range(97, 100).forEach(number -> attempts.add(attempt(number, text())));
        return new StoredDelivery(
                new DeliveryId(ENDPOINT, event),
                "transaction.refunded_partially",
                MADE_AT,
                "exhausted",
                attempts,
                null,
                MADE_AT,
                null,
                Origin.NONE);
    }

    private StoredAttempt attempt(int number, @Nullable String response) {
        return new StoredAttempt(
                MADE_AT.plusSeconds(random.nextInt(1_000_000)), "rejected", 500, random.nextInt(10_000), response);
    }

    private String text() {
        return random.ints(1_024, ' ', '~')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /** A delivery is deleted 30 days after its end, and nothing says then that there was one. */
    @Test
    void deliveriesAreCompleteForThirtyDays() {
        Transaction transaction = Transactions.goldenCashin();
        Instant last = transaction.createdAt().plus(Duration.ofDays(30));
        Bundle bundle = new Bundle(
                transaction,
                "Loja",
                List.of(),
                null,
                Bundle.Deliveries.of(
                        List.of(), Map.of(ENDPOINT, "https://example.com/hooks?secret", OTHER, "damaged url")));

        assertThat(deliveries(writer.write(bundle, last)))
                .contains(
                        "Deliveries of the last 30 days to these endpoints", "\"host\" : \"example.com\"", "\"" + OTHER)
                .contains("\"complete\" : true")
                .doesNotContain("secret", "damaged");
        assertThat(deliveries(writer.write(bundle, last.plusSeconds(1)))).contains("\"complete\" : false");
    }

    private static String deliveries(byte[] archive) {
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(archive))) {
            while (!requireNonNull(zip.getNextEntry()).getName().equals("deliveries.json")) {
                zip.closeEntry();
            }
            return new String(zip.readAllBytes(), UTF_8);
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }

    @Test
    void whatIsLeftOutOrCannotBeReadIsSaid() {
        StoredDelivery one = delivery(new EventId(Transactions.goldenCashin().id(), 1));
        List<@Nullable StoredDelivery> damaged = new ArrayList<>(List.of(one));
        damaged.add(null);

        assertThat(Bundle.Deliveries.of(List.of(one), Map.of()).complete()).isTrue();
        assertThat(Bundle.Deliveries.of(damaged, Map.of())).satisfies(found -> {
            assertThat(found.complete()).isFalse();
            assertThat(found.stored()).containsExactly(one);
        });
        assertThat(Bundle.Deliveries.of(Collections.nCopies(Bundle.Deliveries.MAX + 1, one), Map.of()))
                .satisfies(found -> {
                    assertThat(found.complete()).isFalse();
                    assertThat(found.stored()).hasSize(Bundle.Deliveries.MAX);
                });
    }
}
