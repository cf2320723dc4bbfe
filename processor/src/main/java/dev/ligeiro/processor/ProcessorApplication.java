package dev.ligeiro.processor;

import dev.ligeiro.message.Topics;
import dev.ligeiro.processor.decide.CommandOutcome;
import dev.ligeiro.support.FundsStore;
import dev.ligeiro.support.PayloadLocationStore;
import dev.ligeiro.support.kafka.BatchSender;
import dev.ligeiro.support.kafka.CommittedOffsets;
import dev.ligeiro.support.kafka.DeadLetters;
import dev.ligeiro.support.kafka.KafkaConsumerConfiguration;
import dev.ligeiro.support.kafka.KafkaProducerConfiguration;
import dev.ligeiro.support.mongo.MongoClientConfiguration;
import dev.ligeiro.support.observe.BuildInfo;
import dev.ligeiro.support.observe.Traces;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** The processor service. */
@SpringBootApplication
@ConfigurationPropertiesScan
@Import({
    MongoClientConfiguration.class,
    BuildInfo.class,
    KafkaProducerConfiguration.class,
    KafkaConsumerConfiguration.class,
    CommittedOffsets.class,
    FundsStore.class,
    PayloadLocationStore.class,
    Traces.class
})
public class ProcessorApplication {

    public static void main(String[] args) {
        SpringApplication.run(ProcessorApplication.class, args);
    }

    @Bean
    static DeadLetters deadLetters(BatchSender sender, MeterRegistry meters) {
        return new DeadLetters(sender, meters, Topics.COMMANDS, List.copyOf(CommandOutcome.REFUSALS));
    }
}
