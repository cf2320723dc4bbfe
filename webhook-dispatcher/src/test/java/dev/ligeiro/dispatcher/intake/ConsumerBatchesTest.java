package dev.ligeiro.dispatcher.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

class ConsumerBatchesTest {

    private final ConsumerBatches batches = new ConsumerBatches(10);
    private final List<String> committed = new ArrayList<>();
    private final Sinks.Empty<Void> first = Sinks.empty();
    private final Sinks.Empty<Void> second = Sinks.empty();

    @Test
    void aBatchThatHasEndedIsCommitted() {
        batches.begin(Mono.empty(), () -> committed.add("first"));
        assertThat(committed).containsExactly("first");
        assertThat(batches.awaitAll(Duration.ZERO)).isTrue();
    }

    @Test
    void atMostTwoRun() {
        assertThat(batches.awaitRoom(Duration.ZERO)).isTrue();
        begin(first, "first");
        assertThat(batches.awaitRoom(Duration.ZERO)).isTrue();
        begin(second, "second");
        assertThat(batches.awaitRoom(Duration.ZERO)).isFalse();

        first.tryEmitEmpty();
        assertThat(batches.awaitRoom(Duration.ZERO)).isTrue();
        assertThat(batches.awaitAll(Duration.ZERO)).isFalse();
    }

    /** Otherwise a crash would lose the first one. */
    @Test
    void aBatchIsNotCommittedBeforeAnEarlierOne() {
        begin(first, "first");
        begin(second, "second");
        second.tryEmitEmpty();
        assertThat(committed).isEmpty();
        assertThat(batches.awaitRoom(Duration.ZERO)).isFalse();

        first.tryEmitEmpty();
        assertThat(committed).containsExactly("first", "second");
        assertThat(batches.awaitAll(Duration.ZERO)).isTrue();
    }

    @Test
    void aCanceledBatchIsNotCommitted() {
        begin(first, "first");
        begin(second, "second");
        batches.cancel();
        assertThat(first.currentSubscriberCount()).isZero();
        assertThat(committed).isEmpty();
        assertThat(batches.awaitAll(Duration.ZERO)).isFalse();
        assertThat(batches.awaitRoom(Duration.ZERO)).isFalse();
    }

    @Test
    void aBatchThatFailsIsNotCommitted() {
        begin(first, "first");
        first.tryEmitError(new IllegalStateException("test"));
        assertThat(committed).isEmpty();
        assertThatThrownBy(() -> batches.awaitAll(Duration.ZERO)).isInstanceOf(IllegalStateException.class);
    }

    private void begin(Sinks.Empty<Void> batch, String name) {
        batches.begin(batch.asMono(), () -> committed.add(name));
    }
}
