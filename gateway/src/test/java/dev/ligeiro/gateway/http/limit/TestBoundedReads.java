package dev.ligeiro.gateway.http.limit;

import dev.ligeiro.gateway.store.LongReadProperties;
import java.time.Duration;

/** For tests of other packages. */
public final class TestBoundedReads {

    private TestBoundedReads() {}

    /** One read of a tenant at a time; another one is refused at once. */
    public static BoundedReads oneAtATime() {
        return new BoundedReads(new LongReadProperties(8, 1, 16, 1, Duration.ZERO, 4, 0));
    }

    /** Four queries at once, which do not rest. */
    public static BoundedReads withoutRests() {
        return new BoundedReads(new LongReadProperties(8, 2, 16, 4, Duration.ofSeconds(2), 4, 0));
    }
}
