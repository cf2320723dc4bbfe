package dev.ligeiro.gateway.page.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.RawConnection;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import io.netty.util.internal.PlatformDependent;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedGateway.class)
class DocsFileIT {

    private static final int READERS = 100;
    private static final long BYTES_MAX = 32 * 1024 * 1024;

    private final RunningGateway gateway;

    DocsFileIT(RunningGateway gateway) {
        this.gateway = gateway;
    }

    /** The file has 1.5 MB: a copy for each reader would be 150 MB. */
    @Test
    void clientsThatReadSlowlyShareOneCopyOfAFile() {
        List<RawConnection> readers = new ArrayList<>();
        long before = PlatformDependent.usedDirectMemory();
        try {
            for (int i = 0; i < READERS; i++) {
                RawConnection reader = new RawConnection(gateway.port());
                readers.add(reader);
                reader.send("GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: localhost\r\n\r\n");
            }
            readers.forEach(DocsFileIT::readFirstLine);

            assertThat(PlatformDependent.usedDirectMemory() - before).isLessThan(BYTES_MAX);
        } finally {
            readers.forEach(RawConnection::close);
        }
    }

    private static void readFirstLine(RawConnection reader) {
        assertThat(reader.readLine()).isEqualTo("HTTP/1.1 200 OK");
        String line = reader.readLine();
        while (!line.isEmpty()) {
            line = reader.readLine();
        }
        assertThat(reader.readLine()).startsWith("/*");
    }
}
