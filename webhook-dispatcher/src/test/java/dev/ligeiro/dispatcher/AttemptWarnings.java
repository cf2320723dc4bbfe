package dev.ligeiro.dispatcher;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.ligeiro.testing.log.CapturedLogs;
import java.util.List;

/** The warnings about attempts. */
final class AttemptWarnings {

    private AttemptWarnings() {}

    static List<ILoggingEvent> during(Runnable task) {
        try (CapturedLogs logs = new CapturedLogs("dev.ligeiro.dispatcher.attempt.AttemptJournal")) {
            task.run();
            return logs.events().stream()
                    .filter(line -> line.getLevel() == Level.WARN)
                    .toList();
        }
    }
}
