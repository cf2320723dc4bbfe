package dev.ligeiro.desk.record;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.desk.fixture.RunningDesk;
import dev.ligeiro.desk.fixture.SharedDesk;
import dev.ligeiro.desk.fixture.Visitor;
import dev.ligeiro.testing.kafka.TopicReader;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedDesk.class)
class DeadLetterPagesIT {

    private final RunningDesk desk;

    DeadLetterPagesIT(RunningDesk desk) {
        this.desk = desk;
    }

    @Test
    void aPersonRedrivesADeadLetter() {
        String key = UUID.randomUUID().toString();
        try (DeadLetterWriter writer = new DeadLetterWriter();
                TopicReader topic = TopicReader.fromNow(DeadLetterTopic.EVENTS.code())) {
            String before =
                    writer.write(DeadLetterTopic.EVENTS, UUID.randomUUID().toString(), "failed");
            String id = writer.write(DeadLetterTopic.EVENTS, key, "failed");
            String path = "/console/dead-letters?topic=transaction-events&after=" + before;
            Visitor visitor = Visitor.signedIn(desk, RunningDesk.OPERATOR_TOKEN);
            String page = visitor.get(path).expect(200).body();
            assertThat(page).contains("its processing always fails", key).doesNotContain("Maria");

            Matcher form = Pattern.compile("href=\"(/console/do/dead-letters/redrive\\?[^\"]*ids=" + id + "[^\"]*)\"")
                    .matcher(page);
            assertThat(form.find()).isTrue();
            visitor.send(form.group(1).replace("&amp;", "&")).expect(303);

            await().until(() -> !topic.records(key).isEmpty());
            assertThat(new String(topic.records(key).get(0).value(), UTF_8)).isEqualTo(DeadLetterWriter.VALUE);
            assertThat(visitor.get(path).body()).contains("Redriven").contains("Dead letters: 1.");
        }
    }

    @Test
    void aReaderSeesNoForm() {
        try (DeadLetterWriter writer = new DeadLetterWriter()) {
            writer.write(DeadLetterTopic.COMMANDS, UUID.randomUUID().toString(), "failed");
            assertThat(Visitor.signedIn(desk, RunningDesk.READER_TOKEN)
                            .get("/console/dead-letters")
                            .expect(200)
                            .body())
                    .doesNotContain("/console/do/");
        }
    }
}
