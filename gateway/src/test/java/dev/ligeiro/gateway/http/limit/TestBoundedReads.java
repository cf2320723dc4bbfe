package dev.ligeiro.gateway.http.limit;

import dev.ligeiro.gateway.store.LongReadProperties;
import java.time.Duration;

/** For tests of other packages. */
public final class TestBoundedReads {

    private TestBoundedReads() {}

    /** Four queries at once, which do not rest. */
    public static BoundedReads withoutRests() {
        return new BoundedReads(new LongReadProperties(8, 2, 16, 4, Duration.ofSeconds(2), 4, 0));
    }
}
