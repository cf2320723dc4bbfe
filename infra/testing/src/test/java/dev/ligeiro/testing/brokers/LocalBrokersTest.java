package dev.ligeiro.testing.brokers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.brokers.LocalProcess;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** With shell commands in place of brokers. */
class LocalBrokersTest {

    private static final String ENDS_AT_ONCE = "echo 'cannot bind' && exit 3";

    private final BrokerFolder folder = BrokerFolder.of(ProcessHandle.current());

    @Test
    void aBrokerThatEndsAtItsStartIsReplacedByAnother() {
        RunningBroker started = LocalBrokers.started(
                folder, attempt -> new Command(folder, attempt == 1 ? ENDS_AT_ONCE : "sleep 600"), Command::command);
        try {
            assertThat(started.address()).isEqualTo("sleep 600");
        } finally {
            started.broker().kill();
        }
    }

    @Test
    void theLastAttemptSaysWhyNoBrokerStarts() {
        assertThatThrownBy(() ->
                        LocalBrokers.started(folder, attempt -> new Command(folder, ENDS_AT_ONCE), Command::command))
                .hasMessageContaining("exit code 3")
                .hasMessageContaining("cannot bind");
    }

    /** Answers unless it is {@link #ENDS_AT_ONCE}. */
    private record Command(BrokerFolder folder, String command) implements LocalProcess {

        @Override
        public String name() {
            return "command";
        }

        @Override
        public ChildProcess spawn() {
            return ChildProcess.spawn(name(), List.of("/bin/sh", "-c", command), Map.of(), folder.file("command.log"));
        }

        @Override
        public boolean ready() {
            return command.startsWith("sleep");
        }
    }
}
