package dev.ligeiro.gateway.page.checkout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CheckoutPropertiesTest {

    @ParameterizedTest
    @CsvSource({"10000, 160000000, 1666", "10000, 960000000, 10000", "2000, 8000000000, 2000", "0, 160000000, 0"})
    void thePagesTakeAtMostAPartOfTheHeap(int streamsMax, long heapBytes, int places) {
        assertThat(new CheckoutProperties(streamsMax, Duration.ofSeconds(1)).places(heapBytes))
                .isEqualTo(places);
    }
}
