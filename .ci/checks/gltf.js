// Validates the .glb files that are named: node gltf.js FOLDER_OF_THE_VALIDATOR FILE... One line a file; ends with 1 if one has an error or a warning.
const fs = require("fs");
const [folder, ...files] = process.argv.slice(2);
const validator = require(folder);

(async () => {
    let wrong = 0;
    for (const file of files) {
        const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), { maxIssues: 10 });
        const { numErrors, numWarnings, numInfos, messages } = report.issues;
        console.log(`${file}: ${numErrors} errors, ${numWarnings} warnings, ${numInfos} infos`);
        if (numErrors + numWarnings > 0) {
            wrong += 1;
            messages.forEach((m) => console.log(`    ${m.code} ${m.pointer ?? ""}: ${m.message}`));
        }
    }
    process.exitCode = wrong > 0 ? 1 : 0;
})();
