package dev.ligeiro.gateway.page.checkout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.transaction.Status;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

class StatusStreamTest {

    /** The look comes between the two steps of the request: its page is among the open ones, and has not been told anything yet. */
    @Test
    void aLookBeforeTheFirstStatusIsNotTakenBackByIt() {
        Duration again = Duration.ofSeconds(2);
        List<StatusStream.Told> told = Flux.<StatusStream.Told>create(sink -> {
                    StatusStream page = new StatusStream(sink, Status.PENDING, Duration.ZERO);
                    page.look(Status.IN_ANALYSIS, Duration.ZERO);
                    page.tell(again);
                    page.close();
                })
                .collectList()
                .block();

        assertThat(told)
                .containsExactly(
                        new StatusStream.Told(Status.IN_ANALYSIS, null),
                        new StatusStream.Told(Status.IN_ANALYSIS, again));
    }
}
