import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/** Appends one record to a topic: {@code java Append.java BOOTSTRAP_SERVERS TOPIC KEY VALUE}. */
class Append {

    public static void main(String[] arguments) throws Exception {
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", arguments[0]), new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>(arguments[1], arguments[2], arguments[3]))
                    .get(20, TimeUnit.SECONDS);
        }
    }
}
