package dev.ligeiro.dispatcher;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** The warnings about attempts. */
final class AttemptWarnings {

    private AttemptWarnings() {}

    static List<ILoggingEvent> during(Runnable task) {
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger("dev.ligeiro.dispatcher.attempt.AttemptJournal");
        lines.start();
        logger.addAppender(lines);
        task.run();
        logger.detachAppender(lines);
        return List.copyOf(lines.list).stream()
                .filter(line -> line.getLevel() == Level.WARN)
                .toList();
    }
}
