package dev.ligeiro.gateway.list.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ligeiro.gateway.problem.Problem;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class FoundIdsTest {

    private static final TransactionId ID = TransactionId.at(Instant.EPOCH);

    @Test
    void aPageThatIsFullOrTheLastIsComplete() {
        FoundIds full = new FoundIds(List.of(ID, ID), ID);
        FoundIds last = new FoundIds(List.of(ID), null);

        assertThat(full.orThrow(2)).isSameAs(full);
        assertThat(last.orThrow(2)).isSameAs(last);
    }

    @Test
    void aSearchThatHasGivenUpIsA503() {
        FoundIds stopped = new FoundIds(List.of(ID), ID);

        Problem problem = catchThrowableOfType(Problem.class, () -> stopped.orThrow(2));

        assertThat(problem.code().status().value()).isEqualTo(503);
        assertThat(problem.headers()).containsKey("Retry-After");
    }
}
