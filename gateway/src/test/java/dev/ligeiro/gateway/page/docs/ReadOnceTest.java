package dev.ligeiro.gateway.page.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class ReadOnceTest {

    private final AtomicInteger reads = new AtomicInteger();

    @Test
    void contentIsReadOnce() {
        Mono<Integer> content = ReadOnce.of(reads::incrementAndGet);
        assertThat(reads).hasValue(0);

        assertThat(content.block()).isEqualTo(1);
        assertThat(content.block()).isEqualTo(1);
    }

    @Test
    void afterAFailureItIsReadAgain() {
        Mono<Integer> content = ReadOnce.of(() -> {
            if (reads.incrementAndGet() == 1) {
                throw new IllegalStateException("a test");
            }
            return reads.get();
        });

        assertThatThrownBy(content::block).hasMessage("a test");
        assertThat(content.block()).isEqualTo(2);
        assertThat(content.block()).isEqualTo(2);
    }
}
