package dev.ligeiro.processor;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Duration;
import java.time.Instant;
import reactor.core.publisher.Mono;

@AnalyzeClasses(packages = "dev.ligeiro.processor", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule rooms = slices().matching("dev.ligeiro.processor.(*)..")
            .should()
            .beFreeOfCycles()
            .because("a command goes one way: intake, decide, rail, apply");

    @ArchTest
    static final ArchRule decisions = noClasses()
            .that()
            .resideInAPackage("..decide..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "reactor..", "org.springframework..", "com.mongodb..", "org.apache.kafka..", "io.micrometer..")
            .because("what decides is a pure function, and is tested without a broker");

    @ArchTest
    static final ArchRule mongodb = noClasses()
            .that()
            .haveSimpleNameNotEndingWith("Store")
            .and()
            .haveSimpleNameNotEndingWith("StoreConfiguration")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("com.mongodb..")
            .because("whoever writes a transaction compares its version, and that is said in one place");

    @ArchTest
    static final ArchRule blocking = noClasses()
            .that()
            .haveSimpleNameNotEndingWith("Listener")
            .should()
            .callMethod(Mono.class, "block", Duration.class)
            .orShould()
            .callMethod(Mono.class, "block")
            .because("a blocked event loop stops every connection it serves");

    @ArchTest
    static final ArchRule time = noClasses()
            .should()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .because("time comes from the Clock, which a test can move");

    @ArchTest
    static final ArchRule narrow = noClasses()
            .that()
            .resideInAPackage("..intake..")
            .should()
            .bePublic()
            .because("nobody calls into the intake but Kafka");
}
