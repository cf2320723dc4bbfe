package dev.ligeiro.support.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Look-ups of numbers: the value of an even one is its text, an odd one has none, and a negative one cannot be read. */
class BatchedLookupTest {

    private final Sinks.Empty<Void> firstQuery = Sinks.empty();
    private final List<List<Integer>> queries = new CopyOnWriteArrayList<>();
    private Function<List<Integer>, Mono<Map<Integer, String>>> query = keys -> Mono.fromSupplier(() -> read(keys));

    private final BatchedLookup<Integer, String> lookup = new BatchedLookup<>(
            10,
            1,
            100,
            Duration.ZERO,
            keys -> {
                queries.add(keys);
                return queries.size() == 1 ? firstQuery.asMono().thenReturn(Map.of()) : query.apply(keys);
            },
            Outage.class::isInstance);

    @Test
    void lookUpsAtTheSameTimeShareAQuery() {
        List<CompletableFuture<String>> found = find(2, 3, 4, 4);

        assertThat(found.stream().map(CompletableFuture::join)).containsExactly("2", null, "4", "4");
        assertThat(queries).containsExactly(List.of(0), List.of(2, 3, 4, 4));
    }

    @Test
    void aValueThatCannotBeReadFailsItsOwnLookUpsOnly() {
        List<CompletableFuture<String>> found = find(2, -1, 4, -1, 5);

        assertThat(Stream.of(found.get(0), found.get(2), found.get(4)).map(CompletableFuture::join))
                .containsExactly("2", "4", null);
        assertThat(Stream.of(found.get(1), found.get(3))).allSatisfy(failed -> assertThatThrownBy(failed::join)
                .hasRootCauseInstanceOf(IllegalStateException.class)
                .hasRootCauseMessage("-1"));
        assertThat(queries)
                .containsExactly(List.of(0), List.of(2, -1, 4, -1, 5), List.of(2), List.of(-1), List.of(4), List.of(5));
    }

    @Test
    void anOutageFailsAllLookUpsWithoutFurtherQueries() {
        query = keys -> Mono.error(new Outage());

        assertThat(find(2, 3, 4))
                .allSatisfy(failed -> assertThatThrownBy(failed::join).hasRootCauseInstanceOf(Outage.class));
        assertThat(queries).hasSize(2);
    }

    @Test
    void anOutageWhileKeysAreLookedUpAloneFailsAllLookUps() {
        query = keys -> keys.equals(List.of(4)) ? Mono.error(new Outage()) : Mono.fromSupplier(() -> read(keys));

        assertThat(find(2, -1, 4, 6))
                .allSatisfy(failed -> assertThatThrownBy(failed::join).hasRootCauseInstanceOf(Outage.class));
        assertThat(queries).hasSize(5);
    }

    @Test
    void eachSubscriptionLooksUpAnew() {
        Mono<String> two = lookup.find(2);
        firstQuery.tryEmitEmpty();

        two.block();
        two.block();

        assertThat(queries).hasSize(2);
    }

    /** Looks these keys up in one query: it waits for the first one, which looks 0 up. */
    private List<CompletableFuture<String>> find(int... keys) {
        lookup.find(0).subscribe();
        List<CompletableFuture<String>> found =
                IntStream.of(keys).mapToObj(key -> lookup.find(key).toFuture()).toList();
        firstQuery.tryEmitEmpty();
        return found;
    }

    private static Map<Integer, String> read(List<Integer> keys) {
        Map<Integer, String> values = new HashMap<>();
        for (int key : keys) {
            if (key < 0) {
                throw new IllegalStateException(String.valueOf(key));
            }
            if (key % 2 == 0) {
                values.put(key, String.valueOf(key));
            }
        }
        return values;
    }

    private static final class Outage extends RuntimeException {

        private static final long serialVersionUID = 1L;
    }
}
