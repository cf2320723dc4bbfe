package dev.ligeiro.desk;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.testing.architecture.ServiceRules;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@AnalyzeClasses(packages = "dev.ligeiro.desk", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchTests everyService = ArchTests.in(ServiceRules.class);

    @ArchTest
    static final ArchRule roles = methods()
            .that()
            .areDeclaredInClassesThat()
            .areAnnotatedWith(RestController.class)
            .and()
            .areMetaAnnotatedWith(RequestMapping.class)
            .should()
            .beAnnotatedWith(Needs.class)
            .because("an operator's role is checked for each capability");

    @ArchTest
    static final ArchRule named = classes()
            .that()
            .areAnnotatedWith(RestController.class)
            .should()
            .beAnnotatedWith(Tag.class)
            .because("the form, the command and the reference of a capability have the name of its controller's tag");

    @ArchTest
    static final ArchRule merchants = noClasses()
            .that()
            .resideInAPackage("dev.ligeiro.desk.console..")
            .should()
            .dependOnClassesThat(resideInAPackage("com.mongodb..")
                    .or(resideInAPackage("org.springframework.data.mongodb.."))
                    .or(resideInAPackage("org.apache.kafka..")))
            .because("the merchants' console is a client of the public API and of nothing else");

    @ArchTest
    static final ArchRule blocking = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("reactor..", "com.mongodb.reactivestreams..")
            .because("the desk blocks: it is cold, and easier to read so");
}
