package dev.ligeiro.gateway.api.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EndpointSlotsTest {

    @Test
    void thereAreTwentySlots() {
        assertThat(EndpointSlots.free(List.of())).hasSize(20).contains(0, 19);
        assertThat(EndpointSlots.free(List.of(Optional.of(0), Optional.of(7))))
                .hasSize(18)
                .doesNotContain(0, 7);
        assertThat(EndpointSlots.free(
                        IntStream.range(0, 20).mapToObj(Optional::of).toList()))
                .isEmpty();
    }

    @Test
    void endpointsOfAnEarlierVersionCountWithoutASlot() {
        assertThat(EndpointSlots.free(List.of(Optional.empty(), Optional.of(3))))
                .hasSize(18)
                .doesNotContain(3, 19);
        assertThat(EndpointSlots.free(Collections.nCopies(50, Optional.empty())))
                .isEmpty();
    }
}
