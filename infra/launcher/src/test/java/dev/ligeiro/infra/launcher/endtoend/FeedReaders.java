package dev.ligeiro.infra.launcher.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.ApiException;
import dev.ligeiro.infra.client.MerchantApi;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/** Readers of a merchant's feed, each with a cursor of its own. They repeat a request that fails. */
final class FeedReaders implements AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(400);
    private static final Duration READ_WITHIN = Duration.ofMinutes(1);

    private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(4);
    private final List<Reader> readers;

    /** Makes the feed: it gets the events from now on. */
    FeedReaders(EndToEndMerchant merchant, int count) {
        JsonNode first = merchant.api().get(MerchantApi.EVENTS_PATH).expect(200).json();
        String cursor = first.required("next_cursor").asString();
        readers = IntStream.range(0, count)
                .mapToObj(reader -> new Reader(merchant, cursor))
                .toList();
        for (int i = 0; i < count; i++) {
            long offset = POLL.toMillis() * i / count;
            clock.scheduleWithFixedDelay(readers.get(i)::poll, offset, POLL.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** One reader. */
    private static final class Reader {

        private final EndToEndMerchant merchant;
        private final Queue<String> seen = new ConcurrentLinkedQueue<>();
        private volatile String cursor;

        private Reader(EndToEndMerchant merchant, String cursor) {
            this.merchant = merchant;
            this.cursor = cursor;
        }

        private void poll() {
            try {
                Answer answer = merchant.api().get(MerchantApi.EVENTS_PATH + "?after=" + cursor);
                if (answer.status() != 503) {
                    read(answer.expect(200).json());
                }
            } catch (ApiException noAnswer) {
                // the gateway was killed
            }
        }

        private void read(JsonNode page) {
            page.required("events")
                    .valueStream()
                    .map(event -> event.required("id").asString())
                    .forEach(seen::add);
            cursor = page.required("next_cursor").asString();
        }
    }

    /** Waits until each reader has seen {@code ids}, then requires that each has seen each event once, and all in the same order. */
    void requireAllToSee(Collection<String> ids) {
        // AssertJ's containsAll would compare each id with each
        await("read").atMost(READ_WITHIN).until(() -> readers.stream()
                .allMatch(reader -> new HashSet<>(reader.seen).containsAll(ids)));
        clock.shutdown();
        List<List<String>> seen =
                readers.stream().map(reader -> List.copyOf(reader.seen)).toList();
        List<String> longest =
                seen.stream().max(Comparator.comparingInt(List::size)).orElseThrow();
        assertThat(new HashSet<>(longest)).hasSameSizeAs(longest);
        assertThat(seen).allSatisfy(one -> assertThat(one).isEqualTo(longest.subList(0, one.size())));
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
