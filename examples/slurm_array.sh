#!/usr/bin/env bash
# Transcribes a list of recordings with an array of Slurm's jobs, each of which takes its part.
#
#   ls /data/talks/*.mp3 >list
#   sbatch --array=0-31 examples/slurm_array.sh list transcripts
#   sbatch --array=0-3 --gres=gpu:1 examples/slurm_array.sh list transcripts --model large-v3-turbo
#
# Options after the folder go to scribed transcribe. --skip-existing leaves out recordings that have
# their transcript: after a task that was ended early, the same command goes on. Recordings whose
# names differ in their folder alone would get one transcript. SCRIBED is the program if it is not
# on the PATH.
#SBATCH --job-name=scribed
#SBATCH --cpus-per-task=4
#SBATCH --mem=4G
#SBATCH --time=08:00:00
#SBATCH --requeue
#SBATCH --output=scribed-%A_%a.log
set -euo pipefail

usage="Usage: sbatch --array=0-N $0 LIST FOLDER [OPTION…]"
list=${1:?$usage}
folder=${2:?$usage}
shift 2
task=$((${SLURM_ARRAY_TASK_ID:?$usage} - ${SLURM_ARRAY_TASK_MIN:-0}))
tasks=${SLURM_ARRAY_TASK_COUNT:-1}

mapfile -t all <"$list"
files=()
for ((i = task; i < ${#all[@]}; i += tasks)); do
  files+=("${all[i]}")
done
[ ${#files[@]} != 0 ] || exit 0

mkdir -p "$folder"
# One call for all, which loads the model once.
exec "${SCRIBED:-scribed}" transcribe --threads "${SLURM_CPUS_PER_TASK:-0}" --output "$folder/" \
  --skip-existing --format txt "$@" "${files[@]}"
